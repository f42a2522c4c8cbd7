"""How images of containers are built."""
