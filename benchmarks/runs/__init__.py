"""What recorded runs know of the tests of later commits; see README.md."""
