"""The client's contract: one pure state machine for one form."""
