"""What the labels say: tests, effect sizes, corrected estimates, tables and figures."""
