"""Whether a text is like those that a model learned from: what was measured on its test part holds for such alone.

Three simple signs, each against the texts of the training part:

- length: fewer words than all but one in a hundred of them have;
- words: of its words, fewer occur in the training part than is so of all but one in a hundred of the training texts,
  each held against the others, and fewer than half;
- markup: tags such as <p>, where not one in a hundred has any.

A text of another language fails the second, and small words that only that language has tell which. A text that passes
may still be unlike in what it is about: this notices the obvious.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

FEWEST_TEXTS = 20
_ONE_IN_A_HUNDRED = 0.01
# At least so many words, else the share of known ones says little.
_FEWEST_WORDS = 4
# However alike training texts are, a text of which half the words are known is not called unlike.
_MOST_ASKED = 0.5
_WORD = re.compile(r"[^\W\d_]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LEAST_SMALL = 0.15
# Frequent small words, without those that several of these languages share.
_SMALL_WORDS = {
    "English": "the and you that with have this your are was for not what when they would been of my",
    "German": "und der das ist nicht ich du ein eine mit auf dich dir wir sich auch mir aber wenn sie es",
    "French": "le les est pas vous je et des une dans pour que qui tu avec ce mais sur ne au",
    "Spanish": "el los que por una las muy pero como estoy tu mi lo más eso para con te y es",
    "Italian": "il che non di una per sono ho mi ti con gli anche ma della questo è come lo",
    "Portuguese": "não que uma você para com os isso muito eu mas por seu ao são foi um do",
    "Dutch": "het een van ik je niet dat met voor zijn maar ook wat er aan dit heb en de",
}
_SMALL = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}


def words_of(text: str) -> list[str]:
    """
    >>> words_of("<p>Hugs!</p> It's 7 o'clock")
    ['hugs', 'it', 's', 'o', 'clock']
    """
    return [word.casefold() for word in _WORD.findall(_TAG.sub(" ", text))]


def language_of(words: Iterable[str]) -> str:
    """By small words; empty where they do not tell.

    >>> language_of(words_of("Das ist nicht schlimm, und du bist nicht allein.")), language_of(["hugs"])
    ('German', '')
    """
    found = list(words)
    shares = {name: sum(word in small for word in found) for name, small in _SMALL.items()}
    best, second = sorted(shares, key=lambda name: (-shares[name], name))[:2]
    is_clear = shares[best] > shares[second] and shares[best] >= _LEAST_SMALL * max(len(found), 1)
    return best if is_clear and shares[best] > 1 else ""


@dataclass(frozen=True, slots=True)
class TrainingTexts:
    """What is remembered of the texts of a training part: words and bounds, and no text."""

    n: int
    words: frozenset[str]
    languages: frozenset[str]
    fewest_words: int
    least_known: float
    has_markup: bool

    @classmethod
    def of(cls, texts: Iterable[str]) -> "TrainingTexts | None":
        """None where there are too few to tell."""
        given = [text for text in texts if text.strip()]
        if len(given) < FEWEST_TEXTS:
            return None
        every = [words_of(text) for text in given]
        n_texts = Counter(word for words in every for word in set(words))
        known = sorted(
            sum(n_texts[word] > 1 for word in words) / len(words)
            for words in every
            if len(words) >= _FEWEST_WORDS
        )
        languages = Counter(language_of(words) for words in every)
        at = int(_ONE_IN_A_HUNDRED * len(every))
        return cls(
            n=len(given),
            words=frozenset(n_texts),
            languages=frozenset(
                name for name, n in languages.items() if name and n > _ONE_IN_A_HUNDRED * len(every)
            ),
            fewest_words=sorted(map(len, every))[at],
            least_known=min(known[int(_ONE_IN_A_HUNDRED * len(known))], _MOST_ASKED) if known else 0.0,
            has_markup=sum(bool(_TAG.search(text)) for text in given) > _ONE_IN_A_HUNDRED * len(given),
        )

    def why_unlike(self, text: str) -> tuple[str, ...]:
        """In sentences about the text; empty where nothing is seen.

        >>> about = TrainingTexts.of(["You are so kind and I thank you for that"] * 20)
        >>> about.why_unlike("<p>Hugs!</p>")[1]
        'It has 1 word, and nearly all texts that the model learned from have 10 or more.'
        >>> about.why_unlike("Das ist nicht schlimm und du bist nicht allein damit")
        ('It looks like German, and the model learned from no text in that language.',)
        >>> about.why_unlike("I thank you so, and you are kind for that too")
        ()
        """
        words, found = words_of(text), []
        if _TAG.search(text) and not self.has_markup:
            found.append("It has markup such as <p>, and hardly any text that the model learned from has.")
        if len(words) < self.fewest_words:
            n = f"{len(words)} word{'' if len(words) == 1 else 's'}"
            found.append(
                f"It has {n}, and nearly all texts that the model learned from have {self.fewest_words} or more."
            )
        language = language_of(words)
        known = sum(word in self.words for word in words) / max(len(words), 1)
        is_strange = len(words) >= _FEWEST_WORDS and known < self.least_known
        if language and language not in self.languages and (self.languages or is_strange):
            found.append(f"It looks like {language}, and the model learned from no text in that language.")
        elif is_strange:
            found.append(
                f"{known:.0%} of its words are in the texts that the model learned from, where nearly all of these"
                f" have {self.least_known:.0%} or more in common with the others."
            )
        return tuple(found)
