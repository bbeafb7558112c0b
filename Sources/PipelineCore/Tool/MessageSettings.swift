// The options about messages.

/// The settings for messages that every tool has.
package struct MessageSettings: Sendable {
    package var isQuiet = false
    package var progress = Progress.Mode.auto

    package init() {}
}
