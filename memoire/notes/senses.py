"""Words that developers use for the same thing. A question finds what says it by another of them, for less."""

from memoire.notes.stems import stem

_GROUPS = """
arg argument args param parameter params option
config configuration configure settings setting
dir directory folder
doc docs documentation document
env environment
dep deps dependency dependencies requirement
func function method
msg message
err error exception failure fail
win windows
delete remove drop
add introduce support allow implement new
fix bug repair correct resolve
auth authentication authenticate
db database
regex regexp
async asynchronous
sync synchronous
ctx context
perf performance speed faster
req request
res response
repo repository
char character
str string
int integer
num number
attr attribute
init initialize initialise
info information
max maximum
min minimum
obj object
var variable
val value
spec specification
ver version
conn connection
cmd command
pkg package
lib library
util utility
prop property
deprecated deprecate obsolete
crash panic
slow performance
leak memory
type typing annotation hint
ci workflow workflows action actions
rename renamed
update upgrade bump
"""


def _senses() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _GROUPS.split("\n"):
        group = {stem(word) for word in line.split()}
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in found.items()}


SENSES = _senses()
"""Stem -> stems of other words for it."""
