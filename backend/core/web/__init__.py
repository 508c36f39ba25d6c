"""The look of every page: templates, styles, scripts, charts, and how numbers are written."""
