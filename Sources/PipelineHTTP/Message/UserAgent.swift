// How the tools introduce themselves: by their name, and by whom to ask about their requests.
//
//     castline/0.1.0        castline/0.1.0 (+me@example.org), where CASTLINE_CONTACT=me@example.org
//
// CASTLINE_USER_AGENT replaces all of it.

import PipelineCore

package enum UserAgent {
    package static let variable = "CASTLINE_CONTACT"
    static let wholeVariable = "CASTLINE_USER_AGENT"
    private static let name = "castline/\(Tool.version)"

    /// For help and manual.
    package static let advice = [
        (name: variable, meaning: "A mail address or URL for the default User-Agent."),
        (name: wholeVariable, meaning: "The User-Agent header to send. Default: \(name)."),
    ]

    /// A mail address or a URL. Nil if the user gives none.
    static var contact: String? { value(variable) }
    /// All of the header's value. Nil if the user gives none.
    static var whole: String? { value(wholeVariable) }

    /// What the requests of this run send.
    package static var chosen: String { whole ?? contact.map { "\(name) (+\($0))" } ?? name }

    /// Whether the user says who they are, by a contact or a name of their own.
    package static var isPersonal: Bool { chosen != name }

    /// An empty variable counts as none.
    private static func value(_ variable: String) -> String? {
        Environment.value(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}
