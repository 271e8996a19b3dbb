"""One file a task. The file's name is the task's name on the command line and in the store."""
