"""Learning curves: the same fast learner fitted over and over on more and more labels."""
