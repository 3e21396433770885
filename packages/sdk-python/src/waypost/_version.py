VERSION = "0.2.0"
"""Of this package; stands in the `User-Agent` of every request."""
