"""`mmrole extract`: from a folder of clips to features."""
