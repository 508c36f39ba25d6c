"""Reports of a study: what a labelled corpus says, as pages and as folders that can be published."""
