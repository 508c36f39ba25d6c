"""The rows of a Label Studio result as typed values; nothing untyped gets past this module."""

import msgspec


class UnreadableRow(ValueError):
    """The row does not have the shape that its type has in Label Studio."""


class ForeignRowType(ValueError):
    """Label Studio knows such rows, but no interface of ours makes them."""

    def __init__(self, row_type: str) -> None:
        self.row_type = row_type
        super().__init__(f"rows of the type {row_type!r} are not ours")


class _TypeOnly(msgspec.Struct):
    type: str


class _Choices(msgspec.Struct, frozen=True):
    choices: list[str]


class _Labels(msgspec.Struct, frozen=True):
    """A highlight whose only label was taken away comes without `labels`."""

    labels: list[str] = []
    start: object = None
    end: object = None


class _Text(msgspec.Struct, frozen=True):
    text: list[str] | str


class ChoicesRow(msgspec.Struct, frozen=True, tag_field="type", tag="choices"):
    from_name: str
    to_name: str
    value: _Choices

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset(self.value.choices)


class LabelsRow(msgspec.Struct, frozen=True, tag_field="type", tag="labels"):
    from_name: str
    to_name: str
    value: _Labels

    @property
    def offsets(self) -> tuple[int, int] | None:
        """None unless both are whole numbers; `true` and 4.0 are not, though Python would count with them."""
        start, end = self.value.start, self.value.end
        if isinstance(start, bool) or isinstance(end, bool):
            return None
        return (start, end) if isinstance(start, int) and isinstance(end, int) else None


class TextRow(msgspec.Struct, frozen=True, tag_field="type", tag="textarea"):
    from_name: str
    to_name: str
    value: _Text

    @property
    def text(self) -> str:
        """The lines as one text that any database can hold: no NUL, no half of a surrogate pair."""
        lines = [self.value.text] if isinstance(self.value.text, str) else self.value.text
        text = "\n".join(lines).replace("\x00", "\N{REPLACEMENT CHARACTER}")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


Row = ChoicesRow | LabelsRow | TextRow
_OUR_TYPES = ("choices", "labels", "textarea")
# msgspec cannot look at half a surrogate pair where it expects a name or an object.
_NOT_CONVERTED = (msgspec.ValidationError, UnicodeEncodeError)


def read_row(raw: object) -> Row:
    try:
        row_type = msgspec.convert(raw, _TypeOnly).type
        if row_type not in _OUR_TYPES:
            raise ForeignRowType(row_type)
        row: Row = msgspec.convert(raw, Row)
    except _NOT_CONVERTED as error:
        raise UnreadableRow(str(error)) from error
    return row
