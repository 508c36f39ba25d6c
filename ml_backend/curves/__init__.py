"""Learning curves: the same fast learner fitted over and over on more and more labels."""

# By name, apart from the libraries that they need
EMBEDDING_LEARNER = "embedding-logistic"
FAST_LEARNERS = ("tfidf-logistic", "latent-logistic", EMBEDDING_LEARNER)
