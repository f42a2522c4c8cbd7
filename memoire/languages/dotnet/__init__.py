"""Project files of .NET."""
