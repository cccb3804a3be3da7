"""The server's contract: resources, the registry of operations, sessions, capacity."""
