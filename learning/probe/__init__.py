"""The context probe: whether a model looks at the post that a reply answers, or at the reply's words alone."""
