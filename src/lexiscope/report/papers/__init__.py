"""Reports of reproductions and probing experiments: terminal, Markdown and HTML page."""
