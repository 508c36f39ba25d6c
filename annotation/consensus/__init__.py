"""What several annotators say together, where nobody adjudicates: labels and snippets, each with a confidence."""
