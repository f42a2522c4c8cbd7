"""Lists of Python packages for pip."""
