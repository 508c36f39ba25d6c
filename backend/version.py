"""Which Attune this is, as reports tell it."""

VERSION = "0.1.0"
