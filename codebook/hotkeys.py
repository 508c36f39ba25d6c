"""The keys that choose an answer: which may be used, and how many a code needs."""

from codebook.node_reader import NodeReader, Place

USABLE_KEYS = "0123456789abcdefghijklmnopqrstuvwxyz"

# Label Studio unselects a region with u; our interface flags an item with n.
FLAG_KEY = "n"
RESERVED_KEYS = {"u": "Label Studio unselects a highlight with it", FLAG_KEY: "it means “I am not sure”"}


def read_hotkeys(reader: NodeReader, place: Place | None, count: int) -> str:
    """One key, or as many keys in a row as the question has levels; no key may serve twice."""
    keys = reader.line_text(place)
    if place is None or not keys:
        return ""
    if len(keys) != count:
        right = "write one key" if count == 1 else f"write {count} keys in a row, one per level"
        reader.report(place, f"`hotkey` is {keys[:20]!r}", right)
        return ""
    for key in keys:
        if key not in USABLE_KEYS:
            reader.report(
                place, f"the hotkey {key!r} cannot be used", "use a digit or a small letter from a to z"
            )
        elif key in RESERVED_KEYS:
            reader.report(place, f"the hotkey {key!r} is taken: {RESERVED_KEYS[key]}", "choose another key")
        elif keys.count(key) > 1:
            reader.report(place, f"the hotkey {key!r} appears twice here", "give each level its own key")
        else:
            reader.unique(place, "hotkey", key)
    return keys
