"""One file a command. The file's name is the command's name."""
