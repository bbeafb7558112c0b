// Nothing else belongs here: closures of top-level code pull in the concurrency runtime, which slows the start.

FetchImages.run()
