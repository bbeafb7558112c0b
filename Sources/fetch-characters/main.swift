// Starts fetch-characters. There is no more code here, as top-level code belongs to the main actor: closures in it
// would need the concurrency runtime, which makes a tool start more slowly.

FetchCharacters.run()
