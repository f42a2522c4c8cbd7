"""What is known of files beside their text: one module a feature, each a pure function of the past or of the graph.

Every feature returns path number -> strength, above 0, on a scale of its own: `ranking` divides each by its maximum.
A file that a feature says nothing of is left out. All are measured as part of one sum: see `benchmarks/search`.
"""
