"""The commands, one file each: what is asked on the command line becomes files in and out."""
