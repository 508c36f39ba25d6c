"""State and people: settings, accounts, studies and the pages and calls that serve them."""

VERSION = "0.1.0"
