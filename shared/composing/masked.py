"""The sources of a prompt without the secrets in them (docs/adr/0016)."""

from shared.model.slots import SLOT_NAMES
from shared.ports import PromptSources
from shared.safety.masking import masked_director, masked_memory
from shared.summarizing.writing import slots_of


def masked_sources(found: PromptSources) -> PromptSources:
    """What a director wrote and a cycle kept, as the chat's model may read it.

    Nothing is reported here: each prompt holds the same text again, and the cycle that reads
    it says it once.
    """
    director, _ = masked_director(found.director)
    memory = masked_memory(slots_of(found.slots))
    slots = {
        name: found.slots[name].model_copy(update={"content": memory.of(name)})
        for name in SLOT_NAMES
        if name in found.slots
    }
    return found.model_copy(update={"director": director, "slots": slots})
