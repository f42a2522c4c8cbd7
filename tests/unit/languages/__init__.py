"""Languages through extraction, linking and relations."""
