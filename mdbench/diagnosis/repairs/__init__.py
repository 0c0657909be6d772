"""Which rows contradict themselves, and what would repair them."""
