"""Bounded exhaustive search over fault schedules, and shrinking."""
