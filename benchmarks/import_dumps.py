"""Makes synthetic dumps for the benchmarks: own words in the field layout of the real archives."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from backports.zstd import CompressionParameter, ZstdFile

# As Stack Exchange writes attributes
_QUOTED = {'"': "&quot;", "\n": "&#xA;"}
_WORDS = [
    "I",
    "we",
    "you",
    "they",
    "my",
    "your",
    "thing",
    "people",
    "friend",
    "work",
    "home",
    "school",
    "kid",
    "time",
    "day",
    "week",
    "never",
    "always",
    "maybe",
    "really",
    "just",
    "feel",
    "think",
    "know",
    "want",
    "need",
    "tell",
    "ask",
    "help",
    "listen",
    "understand",
    "sorry",
    "glad",
    "hard",
    "easy",
    "long",
    "short",
    "first",
    "last",
    "little",
    "and",
    "or",
    "but",
    "because",
    "when",
    "while",
    "with",
    "without",
    "about",
    "after",
    "before",
    "again",
    "it's",
    "don't",
    "can't",
    "would",
    "could",
    "should",
]
_NOISE = "abcdefghijklmnopqrstuvwxyz0123456789"


def write_reddit_dump(folder: Path, *, posts: int, comments: int, seed: int) -> tuple[Path, Path]:
    rng = random.Random(seed)
    submissions, replies = folder / "submissions.zst", folder / "comments.zst"
    _write_lines(submissions, (_submission(rng, number) for number in range(posts)))
    _write_lines(replies, (_comment(rng, number, posts) for number in range(comments)))
    return submissions, replies


def _write_lines(path: Path, records: Iterator[dict[str, object]]) -> None:
    options = {int(CompressionParameter.compression_level): 3, int(CompressionParameter.window_log): 27}
    with ZstdFile(path, "wb", options=options) as handle:
        for record in records:
            handle.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words))


def _token(rng: random.Random, length: int) -> str:
    return "".join(rng.choices(_NOISE, k=length))


def _author(rng: random.Random) -> str:
    return f"user_{int(rng.paretovariate(0.6)) % 200_000}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def _post_id(number: int) -> str:
    return _base36(36**5 + number)


def _submission(rng: random.Random, number: int) -> dict[str, object]:
    return {
        "author": f"poster_{number}",
        "author_flair_text": None,
        "created_utc": 1_500_000_000 + number * 60,
        "domain": "self.listening",
        "edited": False,
        "id": _post_id(number),
        "is_self": True,
        "num_comments": 10,
        "permalink": f"/r/listening/comments/{_post_id(number)}/a_title/",
        "score": rng.randint(0, 400),
        "selftext": _text(rng, int(rng.lognormvariate(4.4, 0.8)) + 5),
        "subreddit": "listening",
        "subreddit_id": "t5_2qaaa",
        "title": _text(rng, rng.randint(4, 14)),
        "url": f"https://www.reddit.com/r/listening/comments/{_post_id(number)}/",
    }


def _comment(rng: random.Random, number: int, posts: int) -> dict[str, object]:
    post = rng.randrange(posts)
    nested = number > 20 and rng.random() < 0.5
    parent = f"t1_{_base36(36**6 + number - rng.randint(1, 20))}" if nested else f"t3_{_post_id(post)}"
    own = rng.random() < 0.2
    draw = rng.random()
    return {
        "all_awardings": [],
        "archived": False,
        "associated_award": None,
        "author": f"poster_{post}" if own else "[deleted]" if draw < 0.05 else _author(rng),
        "author_created_utc": 1_400_000_000 + rng.randrange(10**8),
        "author_flair_background_color": None,
        "author_flair_css_class": None,
        "author_flair_richtext": [],
        "author_flair_template_id": None,
        "author_flair_text": None,
        "author_flair_text_color": None,
        "author_flair_type": "text",
        "author_fullname": f"t2_{_token(rng, 8)}",
        "author_patreon_flair": False,
        "author_premium": False,
        "awarders": [],
        "body": "[removed]" if draw < 0.05 else _text(rng, int(rng.lognormvariate(3.5, 0.9)) + 1),
        "can_gild": True,
        "collapsed": False,
        "collapsed_because_crowd_control": None,
        "collapsed_reason": None,
        "comment_type": None,
        "controversiality": 0,
        "created_utc": 1_500_000_000 + number,
        "distinguished": None,
        "edited": False,
        "gilded": 0,
        "gildings": {},
        "id": _base36(36**6 + number),
        "is_submitter": own,
        "link_id": f"t3_{_post_id(post)}",
        "locked": False,
        "no_follow": True,
        "parent_id": parent,
        "permalink": f"/r/listening/comments/{_post_id(post)}/a_title/{_base36(36**6 + number)}/",
        "retrieved_on": 1_600_000_000 + number,
        "score": rng.randint(-5, 60),
        "send_replies": True,
        "stickied": False,
        "subreddit": "listening",
        "subreddit_id": "t5_2qaaa",
        "subreddit_name_prefixed": "r/listening",
        "subreddit_type": "public",
        "top_awarded_type": None,
        "total_awards_received": 0,
        "treatment_tags": [],
    }


def write_posts_xml(folder: Path, *, rows: int, seed: int) -> Path:
    """One question in three rows; bodies have the tags of a usual post."""
    rng = random.Random(seed)
    path = folder / "Posts.xml"
    with path.open("w") as handle:
        handle.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for number in range(1, rows + 1):
            attributes = _question(rng, number) if number % 3 == 1 else _answer(rng, number)
            row = " ".join(f'{name}="{escape(value, _QUOTED)}"' for name, value in attributes.items())
            handle.write(f"  <row {row} />\n")
        handle.write("</posts>\n")
    return path


def _body(rng: random.Random) -> str:
    paragraphs = [f"<p>{_text(rng, rng.randint(15, 60))}</p>" for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.3:
        paragraphs.append("<ul>\n" + "\n".join(f"<li>{_text(rng, 8)}</li>" for _ in range(3)) + "\n</ul>")
    if rng.random() < 0.1:
        paragraphs.append(f"<blockquote>\n  <p>{_text(rng, 20)}</p>\n</blockquote>")
    link = f'<p><a href="https://example.org/{_token(rng, 12)}" rel="nofollow">{_text(rng, 2)}</a> <em>so</em></p>'
    return "\n\n".join([*paragraphs, link]) + "\n"


def _question(rng: random.Random, number: int) -> dict[str, str]:
    return {
        "Id": str(number),
        "PostTypeId": "1",
        "AcceptedAnswerId": str(number + 1),
        "CreationDate": "2019-03-04T05:06:07.890",
        "Score": str(rng.randint(-2, 40)),
        "ViewCount": str(rng.randint(10, 9000)),
        "Body": _body(rng),
        "OwnerUserId": str(rng.randint(1, 20_000)),
        "LastActivityDate": "2019-04-04T05:06:07.890",
        "Title": _text(rng, 9),
        "Tags": "<listening><work>",
        "AnswerCount": "2",
        "CommentCount": "3",
        "ContentLicense": "CC BY-SA 4.0",
    }


def _answer(rng: random.Random, number: int) -> dict[str, str]:
    return {
        "Id": str(number),
        "PostTypeId": "2",
        "ParentId": str(number - (number - 1) % 3),
        "CreationDate": "2019-03-05T05:06:07.890",
        "Score": str(rng.randint(-2, 40)),
        "Body": _body(rng),
        "OwnerUserId": str(rng.randint(1, 20_000)),
        "LastActivityDate": "2019-04-04T05:06:07.890",
        "CommentCount": "1",
        "ContentLicense": "CC BY-SA 4.0",
    }
