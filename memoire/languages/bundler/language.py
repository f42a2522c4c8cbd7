"""`Gemfile`: the gems that a Ruby project requires.

Source: https://bundler.io/man/gemfile.5.html.
"""

import re

from memoire.extract.spec import Language
from memoire.extract.structured import Found, leading_comment, structured
from memoire.resolution.paths import directories_as

_GEM = re.compile(r"\s*gem[\s(]+[\"']([\w.-]+)[\"'](.*)")
_PATH = re.compile(r"(?:\bpath:\s*|:path\s*=>\s*)[\"']([^\"'#]+)[\"']")
_EVAL = re.compile(r"\s*eval_gemfile[\s(]+[\"']([^\"'#]+)[\"']")


def read(found: Found) -> None:
    """Fill in what one list says."""
    found.summary = leading_comment(found.text)
    for number, line in enumerate(found.lines, 1):
        gem, other = _GEM.match(line), _EVAL.match(line)
        if gem is not None:
            path = _PATH.search(gem[2])
            if path is not None:
                folder = path[1].rstrip("/")
                found.link(f"./{folder}/{gem[1]}.gemspec", number, kind="dependency")
            else:
                found.link(f"gem:{gem[1]}", number, kind="dependency")
        elif other is not None:
            found.link(f"./{other[1]}", number)


LANGUAGE = Language(
    name="bundler",
    suffixes=(),
    filenames=("Gemfile", "gems.rb"),
    resolve=directories_as("Gemfile"),
    read=structured("bundler", read),
    is_setting=True,
)
