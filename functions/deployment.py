"""Where the functions run, and which secrets they are given: what a deployment may change."""

from firebase_functions.params import StringParam

REGION = StringParam(
    "SOUL_MEMORY_REGION",
    default="asia-northeast3",
    label="Region",
    description="Where the functions and their queue run; keep it near Firestore.",
)

# Whom the functions run as: an account of the project by the name before its domain, as in
# "soul-memory@", or the project's default one (None). Its roles: docs/operations.md.
SERVICE_ACCOUNT: str | None = None

# Secret Manager's names that `firebase deploy` binds to the functions that call a model. Vertex
# AI needs none; to use the Gemini API with a key, put "GEMINI_API_KEY" here.
MODEL_SECRETS: list[str] = []
