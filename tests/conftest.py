"""Properties are tried on the same examples every time: a run of the suite never differs by luck.

``make pytest ARGS=--hypothesis-profile=search`` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=1_000, deadline=None)
settings.load_profile("steady")
