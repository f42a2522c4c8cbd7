"""Knows the small file that stands for one which Git LFS keeps elsewhere."""

_GIT_LFS = b"version https://git-lfs.github.com/spec/"
"""What it begins with. Source: git-lfs, docs/spec.md."""


def is_kept_elsewhere(data: bytes) -> bool:
    """Return whether a file only names what Git LFS keeps."""
    return data.startswith(_GIT_LFS)
