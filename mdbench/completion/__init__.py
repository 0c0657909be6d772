"""Scripts with which a shell completes mdbench's commands, options and their values.

They are made from the parser of the command line, so that they know what it knows. A script asks
nobody while a line is typed: everything is in it.
"""
