"""Reports of results: the HTML page, tables for a terminal, and exports."""
