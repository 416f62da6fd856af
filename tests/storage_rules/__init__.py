"""storage.rules, run in the storage emulator over REST."""
