"""What the model in service says about a post and a reply that somebody pastes; nothing of it is kept."""
