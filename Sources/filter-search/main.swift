// The entry point of filter-search. Keep it minimal: top-level code belongs to the main actor, and closures here
// would pull in the concurrency run-time library, which slows the start of a tool.

FilterSearch.run()
