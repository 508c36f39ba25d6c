"""What can go wrong when a sample is designed or drawn, each named and with the way out in its message."""


class SamplingError(ValueError):
    """Any refusal to build a frame, read a design or draw a sample."""


class FrameError(SamplingError):
    """The posts and replies handed over do not form a sampling frame."""


class MissingColumns(FrameError):
    def __init__(self, table: str, missing: list[str]) -> None:
        super().__init__(f"{table}: missing column(s) {', '.join(missing)}; add or rename them")


class WrongColumnType(FrameError):
    def __init__(self, table: str, column: str, found: str, allowed: str) -> None:
        super().__init__(f"{table}: column {column} is {found}; it must be {allowed}")


class MissingIdentifiers(FrameError):
    def __init__(self, table: str, rows: int) -> None:
        super().__init__(f"{table}: {rows} row(s) have an empty identifier; fill them in or drop these rows")


class DuplicateUnits(FrameError):
    def __init__(self, table: str, rows: int, community: str, identifier: str) -> None:
        super().__init__(
            f"{table}: {rows} row(s) share their identifier with another row of the same community "
            f"(for example {identifier!r} in {community!r}); keep one of each"
        )


class OrphanReplies(FrameError):
    def __init__(self, rows: int, community: str, post_id: str) -> None:
        super().__init__(
            f"replies: {rows} row(s) belong to a post that is not among the posts "
            f"(for example post {post_id!r} in {community!r}); drop them or add the posts"
        )


class ReplyCountMismatch(FrameError):
    def __init__(self, posts: int, community: str, post_id: str, stated: int | None, found: int) -> None:
        super().__init__(
            f"posts: n_replies disagrees with the replies of {posts} post(s) (for example {post_id!r} in "
            f"{community!r}: states {stated}, has {found}); n_replies must count the replies in the corpus"
        )


class EmptyFrame(FrameError):
    def __init__(self) -> None:
        super().__init__("there are no posts to draw from; import a corpus or widen the filter")


class InvalidDesign(SamplingError):
    """A field of a design has a value that makes no sense."""

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        super().__init__(f"design field {field}: {problem}")


class InvalidSeed(SamplingError):
    def __init__(self, seed: object) -> None:
        super().__init__(f"seed {seed!r} is not usable; give a whole number from 0 to 2**63 - 1")


class UnknownCommunity(SamplingError):
    def __init__(self, names: list[str], known: list[str]) -> None:
        super().__init__(
            f"A number is given for {', '.join(map(repr, names))}, which this corpus does not have; "
            f"it has {', '.join(map(repr, known))}"
        )


class UnknownExclusion(SamplingError):
    def __init__(self, posts: int, community: str, post_id: str) -> None:
        super().__init__(
            f"exclude names {posts} post(s) that are not in this corpus (for example post {post_id!r} in "
            f"{community!r}); correct them or take them off the list"
        )


class SampleTooLarge(SamplingError):
    def __init__(self, community: str, unit: str, available: int, requested: int) -> None:
        self.community, self.available, self.requested = community, available, requested
        super().__init__(
            f"{community!r} has {available:,} {unit}, fewer than the {requested:,} asked for; ask for fewer there, "
            "or say that all are taken of a community that has fewer"
        )
