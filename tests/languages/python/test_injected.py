import pytest  # => import pytest
from pytest import fixture  # => import pytest:fixture
from contextlib import contextmanager  # => import contextlib:contextmanager
from shop import Client, Server  # => import shop:Client; import shop:Server


@pytest.fixture  # => def function client; call pytest.fixture
def client(server):  # => call :conftest:*.server
    yield Client(server)  # => call shop:Client


@fixture(autouse=True)  # => def function fresh; call pytest:fixture; call fresh
def fresh():
    pass


def make():  # => def function make
    return Server()  # => call shop:Server


@contextmanager  # => def function opened; call contextlib:contextmanager
def opened():
    yield make()  # => call make


def plain():  # => def function plain
    yield Client(1)  # => call shop:Client


def test_get(client):  # => def function test_get; call :conftest:*.client
    client.get("/")  # => call :conftest:*.client().get
    make().stop()  # => call make; call shop:Server().stop
    with opened() as server:  # => call opened
        server.start()  # => call shop:Server().start
    for each in plain():  # => call plain
        each.get("/")  # => call plain()[].get


class TestMore:  # => def class TestMore
    def test_post(self, client):  # => def method TestMore.test_post; call :conftest:*.client
        [client for client in range(3)]
        client.post("/")  # => call :conftest:*.client().post

    def helper(self, client):  # => def method TestMore.helper
        client.put("/")
