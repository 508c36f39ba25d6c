"""Reports on how far annotators agree, measured by the ML backend and kept with the hash of their inputs."""
