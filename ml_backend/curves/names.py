"""The fast learners by name, apart from the libraries that they need."""

EMBEDDING_LEARNER = "embedding-logistic"
FAST_LEARNERS = ("tfidf-logistic", "latent-logistic", EMBEDDING_LEARNER)
