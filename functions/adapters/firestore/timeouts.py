"""Deadlines of calls to Firestore, in seconds; far below those of any function."""

READ_SECONDS = 20.0
COMMIT_SECONDS = 20.0
