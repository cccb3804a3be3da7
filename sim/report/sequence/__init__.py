"""The story of one run as a sequence diagram in SVG: the rows of the story, drawn.

Rows come from ``sim.report.telling``; nothing here reads records. All coordinates are whole
pixels, and how wide a text is follows from its letters alone, so that the same run is the same
bytes everywhere.
"""
