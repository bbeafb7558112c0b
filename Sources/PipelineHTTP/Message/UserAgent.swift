// How the tools introduce themselves: by their name, and by whom to ask about their requests.
//
//     castline/0.1.0        castline/0.1.0 (+me@example.org), where CASTLINE_CONTACT=me@example.org

import PipelineCore

package enum UserAgent {
    package static let variable = "CASTLINE_CONTACT"
    /// For help and manual.
    package static let advice = (variable, "A mail address or URL for the default User-Agent.")

    /// A mail address or a URL. Nil if the user gives none.
    static var contact: String? { Environment.value(variable).flatMap { $0.isEmpty ? nil : $0 } }

    package static var usual: String {
        let name = "castline/\(Tool.version)"
        return contact.map { "\(name) (+\($0))" } ?? name
    }

    /// Whether the user says who they are, by a contact or a name of their own.
    package static func isPersonal(_ userAgent: String) -> Bool { contact != nil || userAgent != usual }
}
