// Values glued to their option that begin with a sign which Swift takes for part of the letter before it.

import PipelineCore
import Testing

@testable import fetch_characters
@testable import fetch_images
@testable import filter_search
@testable import store_plist

@Suite("Values that begin with a combining sign") struct GluedValueTests {
    private static let signs: [String] = ["\u{301}", "\u{338}", "\u{FE0F}", "\u{200D}", "\u{20E3}x", "\u{1F3FB}"]

    /// What the arguments make of the settings, or the error.
    private func outcome<Settings>(_ command: Command<Settings>, _ settings: Settings, _ arguments: [String])
        -> String
    {
        do throws(UsageError) {
            guard case .run(let settings) = try command.parse(arguments, into: settings) else { return "help" }
            return String(reflecting: settings)
        } catch {
            return error.message
        }
    }

    private func check<Settings>(_ command: Command<Settings>, _ settings: Settings) {
        for option in command.options {
            for sign in Self.signs {
                if case .required = option.argument {
                    let apart = outcome(command, settings, ["--" + option.name, sign])
                    #expect(outcome(command, settings, ["--\(option.name)=\(sign)"]) == apart)
                    guard let short = option.short else { continue }
                    #expect(outcome(command, settings, ["-\(short)" + sign]) == apart, "\(command.name) -\(short)")
                    #expect(
                        outcome(command, settings, ["-\(short)=" + sign]) == apart, "\(command.name) -\(short)=")
                } else if let short = option.short {
                    let refused = outcome(command, settings, ["-\(short)" + sign])
                    let first = sign.unicodeScalars.first.map { String($0) } ?? ""
                    #expect(refused.hasPrefix("unknown option -\(first);"), "\(command.name) -\(short): \(refused)")
                }
            }
        }
    }

    @Test
    func `are taken as they are by every option`() {
        check(.fetchCharacters, FetchSettings())
        check(.fetchImages, ImagesSettings())
        check(.filterSearch, FilterSettings())
        check(.storePlist, StoreSettings())
    }

    @Test
    func `are compared as they are`() throws {
        let record = "{\"n\":\"\u{301}x\"}"
        #expect(try Session.filter(["--where", "n=\u{301}x"], [record]).text == record + "\n")
        #expect(try Session.filter(["--where", "n!=\u{301}x"], [record]).text.isEmpty)
    }

    @Test
    func `are quoted for a shell as they are`() {
        #expect(ShellWord.quoted("a'\u{301}; b") == "'a'\\'\'\u{301}; b'")
    }
}
