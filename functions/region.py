"""Where the functions run, and where their queue is."""

REGION = "asia-northeast3"
