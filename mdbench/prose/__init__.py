"""What the text around tables says: settings, formulas, calculations, claims, legends."""
