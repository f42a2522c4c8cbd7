"""What the command line shows and asks: arguments, results as text, tables on a terminal."""
