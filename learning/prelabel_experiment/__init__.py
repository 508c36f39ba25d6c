"""Two conditions: items judged with suggestions, and items judged blind. Their difference shows what suggestions do."""
