"""The REST API: what a researcher can do in the browser, from a notebook with a token."""
