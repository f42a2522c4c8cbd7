"""The assistants and shells that are configured by memoire: one module each."""
