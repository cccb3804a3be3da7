"""From the checked grammar to the model: one module for each part, every default filled in."""
