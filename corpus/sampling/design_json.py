"""Designs to and from plain JSON, so that a study can store one and a notebook can send one."""

from corpus.sampling.designs import Design, PostKey, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.errors import InvalidDesign

DESIGN_KINDS: dict[str, type[PpsPosts] | type[UniformPairs] | type[WholePosts]] = {
    design.kind: design for design in (PpsPosts, UniformPairs, WholePosts)
}
_FIELDS = ("kind", "n", "n_by_community", "exclude", "take_all_if_smaller")


def design_to_json(design: Design) -> dict[str, object]:
    """
    >>> design_to_json(PpsPosts(n=217, n_by_community=(("r/work", 50),)))["n_by_community"]
    {'r/work': 50}
    """
    return {
        "kind": design.kind,
        "n": design.n,
        "n_by_community": dict(design.n_by_community),
        "exclude": [list(post) for post in sorted(design.exclude)],
        "take_all_if_smaller": design.take_all_if_smaller,
    }


def design_from_json(value: object) -> Design:
    """
    >>> design_from_json({"kind": "uniform_pairs", "n": 100})
    UniformPairs(n=100, n_by_community=(), exclude=frozenset(), take_all_if_smaller=False)
    """
    if not isinstance(value, dict):
        raise InvalidDesign("(all)", f"expected an object with {', '.join(_FIELDS)}")
    unknown = sorted(str(name) for name in value if name not in _FIELDS)
    if unknown:
        raise InvalidDesign(unknown[0], f"no such field; the fields are {', '.join(_FIELDS)}")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in DESIGN_KINDS:
        raise InvalidDesign("kind", f"{kind!r} is not one of {', '.join(DESIGN_KINDS)}")
    if "n" not in value:
        raise InvalidDesign("n", "missing; say how many units to draw from each community")
    return DESIGN_KINDS[kind](
        n=value["n"],
        n_by_community=_sizes(value.get("n_by_community", {})),
        exclude=_posts(value.get("exclude", [])),
        take_all_if_smaller=_switch(value.get("take_all_if_smaller", False)),
    )


def _sizes(value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, dict):
        raise InvalidDesign("n_by_community", 'expected an object such as {"r/work": 50}')
    return tuple(value.items())


def _posts(value: object) -> frozenset[PostKey]:
    if not isinstance(value, list):
        raise InvalidDesign("exclude", "expected a list of [community, post_id]")
    return frozenset(_post(entry) for entry in value)


def _post(entry: object) -> PostKey:
    match entry:
        case [str(community), str(post_id)]:
            return community, post_id
        case _:
            raise InvalidDesign("exclude", f"{entry!r} is not a pair [community, post_id] of texts")


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidDesign("take_all_if_smaller", f"{value!r} is neither true nor false")
    return value
