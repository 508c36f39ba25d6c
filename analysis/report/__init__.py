"""The report of a labelled corpus: its tables, figures and methods, from columns to files."""
