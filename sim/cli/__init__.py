"""Click commands: the only place that prints or picks an exit status."""
