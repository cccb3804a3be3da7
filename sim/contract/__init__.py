"""The rules of the save contract: pure, standard library only."""
