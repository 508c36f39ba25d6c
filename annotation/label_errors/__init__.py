"""Labels that look wrong: where people contradict themselves, and where a model that did not see the item does."""
