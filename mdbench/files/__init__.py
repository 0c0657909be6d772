"""Which files a path stands for; reading and writing them whole; worker processes."""
