"""The SimPy world: client, link and server processes, and named random draws."""
