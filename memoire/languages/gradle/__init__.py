"""Build scripts of Gradle."""
