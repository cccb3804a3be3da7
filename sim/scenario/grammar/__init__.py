"""The grammar of scenario files, as pydantic models: one module for each part of a file."""
