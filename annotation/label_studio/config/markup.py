"""Builds Label Studio tags and keeps codebook text from being taken for one of its variables."""

from xml.etree import ElementTree

WORD_JOINER = "\u2060"


def tag(tag_name: str, /, *children: ElementTree.Element, **attributes: str) -> ElementTree.Element:
    """`class_name` stands for Label Studio's className."""
    names = {"class_name": "className"}
    element = ElementTree.Element(tag_name, {names.get(key, key): value for key, value in attributes.items()})
    element.extend(children)
    return element


def literal(text: str) -> str:
    """Text that shows as it is: `$word` would be replaced by task data and `{{idx}}` by a position.

    An invisible word joiner after the sign keeps both from being recognised.
    """
    return text.replace("$", f"${WORD_JOINER}").replace("{{", f"{{{WORD_JOINER}{{")


def write_xml(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
