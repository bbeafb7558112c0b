// What the options say about messages.

/// What every tool can be told about its messages.
package struct MessageSettings: Sendable {
    package var isQuiet = false
    package var progress = Progress.Mode.auto

    package init() {}
}
