"""What a client is: an assistant, editor or shell that memoire configures."""
