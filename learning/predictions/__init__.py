"""What a model says about items: the one form that learners write, and that measuring, choosing and pre-labels read."""
