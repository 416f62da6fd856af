"""The ports of a prompt on a real Firestore."""

from google.cloud import firestore

from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from shared.composing.compose_prompt import ComposePorts
from shared.recall.embedding import SemanticLane
from shared.recall.loading import RecallIndexes
from shared.settings import Settings
from shared.summarizing.working import CyclePorts

WINDOW_MESSAGES = 1_000


def composing_on(client: firestore.Client, ports: CyclePorts, settings: Settings) -> ComposePorts:
    """As a fresh instance has them, beside the ports that its cycles run on."""
    return ComposePorts(
        sources=FirestorePromptSources(client, window_messages=WINDOW_MESSAGES),
        threads=ports.threads,
        indexes=RecallIndexes(ports.lorebook),
        semantics=SemanticLane(ports.lorebook, None),
        prompts=ports.prompts,
        tokens=ports.tokens,
        clock=ports.clock,
        settings=settings,
    )
