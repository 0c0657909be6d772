"""The cache of `lint`, so that unchanged reports are not checked again."""
