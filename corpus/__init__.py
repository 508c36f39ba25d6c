"""Where the texts come from: dumps become Parquet corpora with every dropped record counted."""
