"""What Attune asks the ML backend's server about one text, and what it is told: the message between the two rooms."""

from typing import Annotated

import msgspec

from annotation.answers import ItemText
from learning.predictions.rows import ItemPrediction

# The text is nobody's item; answers name it so.
ASKED_ID = "asked"
LONGEST_PATIENCE = 600
Seconds = Annotated[float, msgspec.Meta(ge=0, le=LONGEST_PATIENCE)]


class TextAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After `patience` seconds nobody waits for the answer any more; None is as long as it takes."""

    title: str
    post: str
    reply: str | None
    patience: Seconds | None = None

    def item(self) -> ItemText:
        return ItemText(ASKED_ID, self.title, self.post, self.reply)


class TextJudged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`prediction` is None where the text has no part that the adapter judges."""

    adapter_id: str
    prediction: ItemPrediction | None
