"""What can be put into the files of others and taken out again: one module for each kind of text."""
