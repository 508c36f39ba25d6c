"""What models learn from releases: training, promotion, pre-labels, active learning, retraining, error analysis."""
