"""The fast learners by name, apart from the libraries that they need."""

FAST_LEARNERS = ("tfidf-logistic", "latent-logistic", "embedding-logistic")
