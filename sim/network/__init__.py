"""Faults and weather: a message and its draws in, deliveries out."""
