"""Formats that studies are exported to and imported from: one file each, found by its name.

A format that can be exported has `write(file, options)`, which returns the content of each file by
its name; `options` are `lexiscope.human.export_files.ExportOptions`. A format that can be imported
has `read(path, study, options)`, which returns `lexiscope.human.answers.Contents`. A format that
holds a whole study has `read_study(path, options)`, and an import creates the study file. The first
line of documentation is what the help shows.
"""
