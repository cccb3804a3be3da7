"""What people see: terminal, charts, HTML, JUnit, Markdown."""
