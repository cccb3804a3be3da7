"""Records of a run, their canonical file form, digests and differences."""
