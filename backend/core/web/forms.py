"""Renders every form with a label, its help and its errors tied together for screen readers."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class CalmRenderer(TemplatesSetting):
    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
    formset_template_name = "forms/formset.html"
