"""From the model back to the grammar: every world as the plain data of a scenario file."""
