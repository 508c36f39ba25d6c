"""Template tags and filters that every template has without loading them."""
