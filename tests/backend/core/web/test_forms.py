"""A form ties each field to its label, its help and its errors."""

from django import forms
from lxml import html

from backend.core.web.style_page import ExampleForm


def rendered(form: forms.Form) -> html.HtmlElement:
    return html.fromstring(f"<form>{form}</form>")


def test_every_visible_field_has_a_label() -> None:
    page = rendered(ExampleForm())
    labelled = {str(target) for target in page.xpath("//label/@for")}
    for control in page.xpath("//input | //select | //textarea"):
        assert control.get("id") in labelled


def test_help_and_errors_are_announced_with_the_field() -> None:
    page = rendered(ExampleForm({"name": "", "size": "-3"}))
    field = page.get_element_by_id("id_name")
    named = str(field.get("aria-describedby")).split()
    assert named == ["id_name_helptext", "id_name_error"]
    assert all(page.get_element_by_id(name).text_content().strip() for name in named)
    assert field.get("aria-invalid") == "true"


def test_radio_buttons_are_a_group_with_a_legend() -> None:
    page = rendered(ExampleForm())
    assert [legend.text_content().strip() for legend in page.xpath("//fieldset/legend")] == ["Who may see it"]


def test_fields_that_may_stay_empty_say_so() -> None:
    page = rendered(ExampleForm())
    optional = {label.get("for") for label in page.xpath("//label[span[@class='field__optional']]")}
    assert optional == {"id_notes", "id_dump"}


def test_errors_of_the_whole_form_and_hidden_fields_are_shown() -> None:
    class Whole(forms.Form):
        token = forms.CharField(widget=forms.HiddenInput)

        def clean(self) -> None:
            raise forms.ValidationError("The two editions are the same.")

    page = rendered(Whole({"token": "t"}))
    assert "The two editions are the same." in page.xpath("//div[@role='alert']")[0].text_content()
    assert page.xpath("//input[@type='hidden']/@value") == ["t"]
