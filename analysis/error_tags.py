"""The kinds of error that a model makes, as the tags by which people sort them."""

from enum import StrEnum


class ErrorTag(StrEnum):
    """Several may stand on one error."""

    OVER_INFERENCE = "over-inference"
    WRONG_SUBJECT = "wrong-subject"
    QUOTED_SPEECH = "quoted-speech"
    UNSEEN_WORDING = "unseen-wording"
    ANNOTATION_ERROR = "annotation-error"

    @property
    def in_words(self) -> str:
        return _IN_WORDS[self]

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]

    @property
    def asks_for_adjudication(self) -> bool:
        """Whether the label is in doubt, and not the model."""
        return self is ErrorTag.ANNOTATION_ERROR


_IN_WORDS = {
    ErrorTag.OVER_INFERENCE: "Over-inference",
    ErrorTag.WRONG_SUBJECT: "Wrong subject",
    ErrorTag.QUOTED_SPEECH: "Quoted speech",
    ErrorTag.UNSEEN_WORDING: "Unseen wording",
    ErrorTag.ANNOTATION_ERROR: "Annotation error",
}
_MEANINGS = {
    ErrorTag.OVER_INFERENCE: "The model reads something into the text that is not said, or takes one code for another.",
    ErrorTag.WRONG_SUBJECT: "It is about somebody else: not the poster's own facts, feelings or experience.",
    ErrorTag.QUOTED_SPEECH: "The words are quoted or proposed, and not said by the writer to the reader.",
    ErrorTag.UNSEEN_WORDING: "The code is put in words that were rare or missing when the model learned.",
    ErrorTag.ANNOTATION_ERROR: "The model is right and the label is not: the item goes to adjudication.",
}
