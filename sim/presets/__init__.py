"""Retry policies and server contracts of real products, as data with their sources."""
