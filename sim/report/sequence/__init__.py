"""The story of one run as a sequence diagram: the rows of the story, drawn in SVG or Mermaid.

Rows come from ``sim.report.told``; nothing here reads records. All coordinates of a picture are
whole pixels, and how wide a text is follows from its letters alone, so that the same run is the
same bytes everywhere.
"""
