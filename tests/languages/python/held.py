import functools  # => import functools
from pathlib import Path  # => import pathlib:Path
from typing import Any, cast  # => import typing:Any; import typing:cast
from shop import Client  # => import shop:Client
import httpx  # => import httpx

HERE = Path(__file__).parent  # => def variable HERE; call pathlib:Path; read pathlib:Path().parent
PAGE = HERE / "page.html"  # => def variable PAGE


class Page:  # => def class Page
    def __init__(self, root: Path, client: Client | None = None):  # => def method Page.__init__; read pathlib:Path; call+read shop:Client
        self.root = root  # => write Page.root
        self.client = client or Client()  # => write Page.client

    @property  # => def method Page.file
    def file(self) -> Path:  # => read pathlib:Path
        return self.root / "page.html"

    @functools.cached_property  # => def method Page.wire; call functools.cached_property
    def wire(self):
        return httpx.Client()  # => call httpx.Client

    def show(self):  # => def method Page.show
        self.file.exists()  # => read Page.file; call pathlib:Path().exists; effect file_io pathlib.Path.exists
        self.wire.get("x")  # => read Page.wire; call httpx.Client().get; effect network httpx.Client.get
        self.client.send()  # => read Page.client; call shop:Client().send

    def missing(self):  # => def method Page.missing
        self.show.exists()  # => read Page.show; call Page.show.exists


@functools.lru_cache  # => def function once; call functools.lru_cache; effect cache functools.lru_cache
def once(paths: list[Path], names: list[str]):  # => read pathlib:Path
    for path in paths:
        path.unlink()  # => call pathlib:Path().unlink; effect file_io pathlib.Path.unlink
    for name in names:
        name.unlink()
    for index, path in enumerate(paths):
        path.unlink()  # => effect file_io pathlib.Path.unlink
    return [each.stat() for each in sorted(HERE.glob("*"))]  # => call pathlib:Path().parent.glob; call pathlib:Path().parent.glob()[].stat; effect file_io pathlib.Path.glob; effect file_io pathlib.Path.stat


def unknown(paths: list[Path], others):  # => def function unknown; read pathlib:Path
    for path in paths:
        path.unlink()
    for path in others:
        path.unlink()


def chosen(path: Path | str, other: Client | Path, more):  # => def function chosen; call+read pathlib:Path; call+read shop:Client
    path = path if isinstance(path, Path) else Path(path)
    path = path.parent  # => read pathlib:Path().parent
    path.unlink()  # => call pathlib:Path().unlink; effect file_io pathlib.Path.unlink
    both = Path("a") if other else Path("b")
    both.unlink()  # => effect file_io pathlib.Path.unlink
    either = Path("a") if other else Client()
    either.unlink()
    other.unlink()
    more = Path(more)
    more.unlink()  # => effect file_io pathlib.Path.unlink


class Entry:  # => def class Entry
    path: Path  # => read pathlib:Path
    wire = httpx.Client()  # => call httpx.Client
    size: int = 0

    def show(self, entries: "list[Entry]"):  # => def method Entry.show
        self.path.exists()  # => read Entry.path; call pathlib:Path().exists; effect file_io pathlib.Path.exists
        self.wire.get("x")  # => read Entry.wire; call httpx.Client().get; effect network httpx.Client.get
        self.size.exists()  # => read Entry.size; call Entry.size.exists
        if (page := self.path / "page").is_dir():  # => call pathlib:Path().__truediv__().is_dir; effect file_io pathlib.Path.is_dir
            page.rmdir()  # => call pathlib:Path().__truediv__().rmdir; effect file_io pathlib.Path.rmdir
        for entry in entries:
            entry.path.rmdir()  # => call pathlib:Path().rmdir; effect file_io pathlib.Path.rmdir


class Late:  # => def class Late
    root: Any = None
    name: Any = None

    def __init__(self):  # => def method Late.__init__
        self.root = Path("x")  # => write Late.root; call pathlib:Path
        self.name = "x"  # => write Late.name

    def show(self):  # => def method Late.show
        self.root.exists()  # => read Late.root; call pathlib:Path().exists; effect file_io pathlib.Path.exists
        self.name.exists()  # => read Late.name; call Late.name.exists


def listed(names):  # => def function listed
    paths = [Path(name) for name in names]  # => call pathlib:Path
    for path in paths:
        path.unlink()  # => call pathlib:Path().unlink; effect file_io pathlib.Path.unlink
    for page in [Path("a"), Path("b")]:
        page.touch()  # => call pathlib:Path().touch; effect file_io pathlib.Path.touch
    others = [name for name in names]
    for other in others:
        other.unlink()
    paths.unlink()
