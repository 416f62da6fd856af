"""firestore.rules, run in the plain Firestore emulator over REST."""
