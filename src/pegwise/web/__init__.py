"""The web site: a site to play, decode, review, race and explore, and its JSON API."""
