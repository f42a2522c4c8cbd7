"""Carries out docs/orders.md as written."""  # => cite docs/orders.md

import sqlite3  # => import sqlite3

from .base import Base, mixins  # => import .base:Base; import .base:mixins


class Store(Base, mixins.Logged, metaclass=Meta):  # => def class Store; base .base:Base; base .base:mixins.Logged
    """Holds orders."""

    kind: str = "store"

    def __init__(self, path: str, parent: "Store" = None):  # => def method Store.__init__
        self.path = path  # => write Store.path
        self.connection = sqlite3.connect(path)  # => write Store.connection; call sqlite3.connect; effect database sqlite3.connect
        self.parent = parent  # => write Store.parent

    def save(self, order):  # => def method Store.save
        self.connection.execute("x", order)  # => read Store.connection; call sqlite3.connect().execute; effect database sqlite3.Connection.execute
        self.check(order)  # => call Store.check
        self.parent.save(order)  # => read Store.parent; call Store.save
        super().save(order)  # => call Store.<super>.save

    @staticmethod  # => def method Store.check
    def check(order):
        order.validate()

    @classmethod  # => def method Store.open
    def open(cls):
        return cls("x")  # => call Store


def use():  # => def function use
    store = Store.open()  # => call Store.open
    with sqlite3.connect("y") as connection:  # => call sqlite3.connect; effect database sqlite3.connect
        connection.commit()  # => call sqlite3.connect().commit; effect database sqlite3.Connection.commit
    return [Store("z").save(o) for o in store]  # => call Store; call Store.save
