"""Fits the weights of search on commits of repositories: `README.md` says how."""
