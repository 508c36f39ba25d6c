"""The sections of a report, a file each. `analysis.report.registry` finds them."""
