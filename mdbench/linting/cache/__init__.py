"""What `lint` found before, so that an unchanged report is not checked again."""
