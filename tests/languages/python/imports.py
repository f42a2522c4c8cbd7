import os  # => import os
import os.path  # => import os.path
import os.path as p  # => import os:path as p
from . import sibling  # => import .:sibling
from ..pkg.mod import (  # => import ..pkg.mod:first; import ..pkg.mod:second as other
    first,  # the statement's line counts
    second as other,
)
from star import *  # => import star:*
from __future__ import annotations
from typing import TYPE_CHECKING  # => import typing:TYPE_CHECKING

try:
    import fast  # => import fast (conditional)
except ImportError:
    fast = None
if TYPE_CHECKING:  # => read typing:TYPE_CHECKING
    from heavy import Model  # => import heavy:Model (type_only)
if os.name == "nt":  # => read os.name
    import winreg  # => import winreg (conditional)


def late():  # => def function late
    import json  # => import json (lazy)

    return json.dumps(p.join("a"), first())  # => call json.dumps; call os:path.join; call ..pkg.mod:first


class Holder:  # => def class Holder
    import inner  # => import inner

    def go(self, model: Model):  # => def method Holder.go; read heavy:Model
        return other(fast), sibling.run()  # => call ..pkg.mod:second; read fast; call .:sibling.run
