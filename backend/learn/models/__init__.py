"""Models seen from here: they are trained and used by the ML backend in processes of its own."""
