"""What all learners that are trained by gradients share: the loop over epochs, and where it stands."""
