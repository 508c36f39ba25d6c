"""A package, so that a dependency that ships a package of this name does not take its place."""
