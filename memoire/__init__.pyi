from memoire.errors import MemoireError as MemoireError
from memoire.sdk import Memoire as Memoire

__all__ = ["Memoire", "MemoireError", "__version__"]

__version__: str
