// The completions, asked as the shells ask them.

import Foundation
import TestSupport
import Testing

@Suite("The completions", .enabled(if: Executables.testsPackages, "scripts/test --packages runs it"))
struct CompletionTests {
    private static let folder = Fixtures.checkout + "/Documentation/completions"

    /// What is typed, and what is offered for the last word.
    struct Typed: CustomTestStringConvertible, Sendable {
        let words: [String]
        let offers: [String]

        init(_ line: String, _ offers: [String]) {
            words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            self.offers = offers
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let typed = [
        Typed("store-plist --format ", ["binary", "xml"]),
        Typed("store-plist --format=b", ["binary"]),
        Typed("store-plist --ver", ["--verify", "--version"]),
        Typed("store-plist --mode rep", ["replace"]),
        Typed("store-plist --on-bad-line ol", ["old.jsonl"]),
        Typed("store-plist ne", ["new.plist"]),
        Typed("store-plist --wait ", []),
        Typed("filter-search --on-bad-line s", ["skip", "stop"]),
        Typed("filter-search -v mick ol", ["old.jsonl"]),
        Typed("filter-search ol", []),
        Typed("filter-search -v -f films ol", []),
        Typed("filter-search -e mick ol", ["old.jsonl"]),
        Typed("filter-search --fie", ["--field"]),
        Typed("fetch-characters --source dis", ["disney"]),
        Typed("fetch-characters --source ac", ["actors.json"]),
        Typed("fetch-characters --report ne", ["new.plist"]),
        Typed("fetch-characters ol", []),
        Typed("fetch-images --on-error=", ["drop", "keep", "stop"]),
        Typed("fetch-images --dir pi", ["pictures"]),
        Typed("fetch-images --placeholder=ol", ["old.jsonl"]),
    ]

    private func room() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write([], to: "old.jsonl")
        try folder.write([], to: "new.plist")
        try folder.write([], to: "actors.json")
        try FileManager.default.createDirectory(atPath: folder.path("pictures"), withIntermediateDirectories: false)
        return folder
    }

    @Test
    func `are scripts that bash, zsh and fish can read`() throws {
        for tool in ToolDocument.tools {
            #expect(try Session.script("bash -n \(Self.folder)/\(tool).bash").errors == "")
            if Shells.has("zsh") { #expect(try Session.script("zsh -n \(Self.folder)/_\(tool)").errors == "") }
            if Shells.has("fish") {
                #expect(try Session.script("fish -n \(Self.folder)/\(tool).fish").errors == "")
            }
        }
    }

    /// Bash splits at `=`, and completes files itself where the function gives nothing and hasn't forbidden it.
    @Test(arguments: typed)
    func `offer in bash`(_ typed: Typed) throws {
        let words = typed.words.flatMap { word -> [String] in
            guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
            let value = String(word[word.index(after: equals)...])
            return [String(word[..<equals]), "="] + (value.isEmpty ? [] : [value])
        }
        let script = """
            files=yes
            compopt() { if [ "$1$2" = "+odefault" ]; then files=no; fi; }
            source \(Self.folder)/\(words[0]).bash
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _\(words[0].replacing("-", with: "_"))
            word=${COMP_WORDS[COMP_CWORD]}
            if [ ${#COMPREPLY[@]} -eq 0 ] && [ $files = yes ]; then COMPREPLY=($(compgen -f -- "${word#=}")); fi
            printf '%s\\n' "${COMPREPLY[@]}" | sed '/^$/d' | sort
            """
        let run = try Session.script(script, folder: try room())
        #expect(run.errors == "")
        #expect(run.lines == typed.offers)
    }

    @Test(.enabled(if: Shells.has("fish"), "no fish"), arguments: typed)
    func `offer in fish`(_ typed: Typed) throws {
        let line = typed.words.joined(separator: " ")
        let script = """
            for file in '\(Self.folder)'/*.fish; source $file; end
            complete -C '\(line)' | string split -f1 \\t | string replace -r '^--[a-z-]+=' '' | string trim -r -c /
            """
        let run = try Session(
            "/usr/bin/env", ["fish", "--no-config", "-c", script], environment: ["LC_ALL": "C.UTF-8"],
            folder: try room())
        #expect(run.errors == "")
        #expect(run.lines.sorted() == typed.offers)
    }

    /// Zsh completes at a terminal only: a second one is given the keys, and its list is read from the screen.
    @Test(.enabled(if: Shells.has("zsh"), "no zsh"), arguments: typed)
    func `offer in zsh`(_ typed: Typed) throws {
        let line = typed.words.joined(separator: " ")
        let script = """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            zpty -w shell 'PS1=; PROMPT=; stty -echo; fpath=(\(Self.folder) $fpath); autoload -Uz compinit
            compinit -u -d dump
            ask() { compstate[insert]=; compadd() { builtin compadd -A offers "$@"
              print -rl -- "OFFER:"$^offers; builtin compadd "$@" }; _main_complete; unfunction compadd }
            zle -C ask complete-word ask; bindkey "^T" ask
            zle-line-init() { print EDIT""ING }; zle -N zle-line-init'
            zpty -r shell text '*EDITING*'
            zpty -w -n shell '\(line)'$'\\C-t'
            zpty -w -n shell $'\\C-u'
            zpty -w shell 'print DO''NE'
            zpty -r shell text '*DONE*'
            print -r -- $text
            """
        let run = try Session("/usr/bin/env", ["zsh", "-f", "-c", script], folder: try room(), limitSeconds: 30)
        let offers = run.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.firstRange(of: "OFFER:").map { String(line[$0.upperBound...]) }
        }
        #expect(Set(offers.filter { !$0.isEmpty }).sorted() == typed.offers)
    }
}
