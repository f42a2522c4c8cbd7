"""Sets a project up for memoire and takes everything back again: `memoire init` and `memoire uninstall`."""
