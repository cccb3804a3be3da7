"""Scenario files: schema, loading with places in errors, and writing."""
