"""Turns the bytes of one file into `FileFacts`. Pure, and total: never raises."""
