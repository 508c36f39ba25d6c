"""Charts as figures for print: PDF and SVG, with the same bytes for the same data."""
