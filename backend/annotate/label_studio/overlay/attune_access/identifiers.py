"""Reads ids more strictly than Label Studio does, so that both never mean different things by one value."""


def as_id(value: object) -> int | None:
    """The number, if it is one or its plain decimal digits.

    >>> as_id(7), as_id("7"), as_id(True), as_id("+7"), as_id(" 7"), as_id(None)
    (7, 7, None, None, None, None)
    """
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return None
