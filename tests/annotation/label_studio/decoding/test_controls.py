"""The decoder knows exactly the controls that the generated interface has."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from annotation.label_studio.config import label_config
from annotation.label_studio.config.control_names import UnknownControlError
from annotation.label_studio.decoding.controls import controls_of
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from tests.codebook.strategies import codebooks
from tests.examples import examples


@settings(max_examples=examples(40), deadline=None)
@given(codebooks())
def test_the_controls_are_those_of_the_config(codebook: Codebook) -> None:
    tree = ElementTree.fromstring(label_config(codebook))
    controls = {element.attrib["name"] for element in tree.iter() if "toName" in element.attrib}
    assert {name.in_config() for name in controls_of(codebook).by_name} == controls


@pytest.mark.parametrize("name", ["span_no-such-code", "ticks_requests_0", "level_requests", "post", ""])
def test_a_control_of_no_or_another_edition_is_unknown(name: str) -> None:
    with pytest.raises(UnknownControlError):
        controls_of(load_shipped("empathy-practices")).named(name)
