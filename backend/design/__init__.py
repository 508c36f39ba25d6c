"""What a study is about: its codebook, its corpora, and the samples drawn from them."""
