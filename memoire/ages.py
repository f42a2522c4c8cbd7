"""Says how long ago something was. Standard library only: hooks import it."""


def age(seconds: float) -> str:
    """Return how long ago something was, in words."""
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {unit}{'s' * (count > 1)} ago"
    return "less than a minute ago"
