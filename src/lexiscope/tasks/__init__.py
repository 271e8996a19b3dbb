"""Tasks, one per file. The file name is the name on the command line and in stored results."""
