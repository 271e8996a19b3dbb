"""`python -m lexiscope` is the command line."""

from lexiscope.cli.main import main

main()
