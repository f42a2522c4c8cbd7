"""The project's memory: decisions, conventions and gotchas, bound to the code they are about.

`model` holds the values, `journal` the file that is their source of truth, `book` what all transactions come to;
`anchors` says whether the code a note is about has changed, `writing` what a new note must pass, `relating` how two
notes stand to each other, `recall` which notes answer a question. Only the daemon writes.
"""
