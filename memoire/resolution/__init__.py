"""Rules of resolution that several languages share."""
