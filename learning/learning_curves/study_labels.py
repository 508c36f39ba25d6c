"""A study's labels on their way to the ML backend, which measures what active learning has gained with them.

The file holds texts, so it lies where the study's texts may lie.
"""

import msgspec

from annotation.answers import ItemText


class KnownAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`marks` are the places of the words behind the answer, or of the marked sentences."""

    value: int
    weight: float
    marks: tuple[tuple[int, int], ...] = ()


class LabelledItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`gold_weight` is how much it counts where models are measured, 0 where it may not measure.

    `is_random` says that chance alone brought it into its batch; `post` keeps items together that belong together.
    """

    text: ItemText
    post: str
    answers: dict[str, KnownAnswer]
    is_random: bool
    gold_weight: float


class StudyLabels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`codebook` is the canonical JSON of the edition."""

    codebook: str
    items: tuple[LabelledItem, ...]


class LabelsUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This is no file of a study's labels ({problem}). Ask for it again.")


def encode_study_labels(labels: StudyLabels) -> bytes:
    return msgspec.json.encode(labels)


def decode_study_labels(content: bytes) -> StudyLabels:
    try:
        return msgspec.json.decode(content, type=StudyLabels)
    except msgspec.DecodeError as error:
        raise LabelsUnreadable(error) from error
