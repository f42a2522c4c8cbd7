import client  # => import client
from shapes import Square, area  # => import shapes:Square; import shapes:area

LIMIT = 3  # => def variable LIMIT
shared = client.connect()  # => def variable shared; call client.connect


def shadowed(client, area):  # => def function shadowed
    client.get("x")  # a parameter, not the module
    return area(1)


def local():  # => def function local
    area = 1
    for Square in range(3):
        print(Square)  # => effect ui builtins.print
    return area


def followed():  # => def function followed
    square = Square(2)  # => call shapes:Square
    square.grow()  # => call shapes:Square().grow
    shared.send()  # => call client.connect().send
    client.connect().open().close()  # => call client.connect; call client.connect().open; call client.connect().open().close
    either = Square(1)
    either = area(1)  # => call shapes:area
    either.unknown()


def writes():  # => def function writes
    global LIMIT
    LIMIT = 4  # => read+write LIMIT
    client.timeout = 5  # => write client.timeout
    client.options["a"] += 1  # => write client.options
    return LIMIT


def annotated(square: Square, many: "list[Square]", maybe: Square | None) -> Square:  # => def function annotated; read shapes:Square
    square.grow()  # => call shapes:Square().grow
    maybe.shrink()  # => call shapes:Square().shrink
    many.append(1)
    return square


def made():  # => def function made
    return annotated(None, [], None).grow()  # => call annotated; call shapes:Square().grow


text = f"{area(2)} area(3) {'client.get'}"  # => def variable text; call shapes:area
comment = 1  # => def variable comment
# client.get() and area() in a comment are nothing
call = area(client=LIMIT)  # => def variable call; read LIMIT
