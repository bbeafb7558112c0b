// The HTTP client of the two fetch tools.
