VERSION = "0.1.0"
"""Of this package; stands in the `User-Agent` of every request."""
