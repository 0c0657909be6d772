"""Parse the text around tables: settings, formulas, calculations, claims, legends."""
