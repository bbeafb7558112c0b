// Starts fetch-images. Nothing else belongs here: top-level code runs on the main actor, and closures in it would
// pull in the concurrency runtime library, which slows down startup.

FetchImages.run()
