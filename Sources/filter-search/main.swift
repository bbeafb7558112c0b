// Where filter-search begins. No more stands here: what is at the top level belongs to the main actor, and closures there would
// bring the run-time library of concurrency along, which makes a tool start later.

FilterSearch.run()
