"""How far independent judgments agree: one implementation of each measure, which says what it does with gaps."""
