// What an option is about. It is refused by runs that it would say nothing to.

/// A group of options.
enum OptionUse {
    /// How the file is replaced.
    case replacing
    /// What becomes of records that come in.
    case taking
    /// What makes a difference between two records.
    case comparing
    /// How a record is written as JSON.
    case loading
}
