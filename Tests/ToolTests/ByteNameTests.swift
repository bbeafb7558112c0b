// Names of files are bytes: every option and operand that names a file does the same with a name that isn't UTF-8 as with
// one that is, and every other option refuses such a value.

import PipelineCore
import TestSupport
import Testing

@testable import fetch_characters
@testable import fetch_images
@testable import filter_search
@testable import store_plist

@Suite("Names that aren't UTF-8") struct ByteNameTests {
    /// A script in which `$n` is the name, and what it is of.
    struct Use: Sendable, CustomTestStringConvertible {
        let tool: String
        /// An option, `FILE`, or a variable of the environment.
        let what: String
        let script: String

        init(_ tool: String, _ what: String, _ script: String) {
            (self.tool, self.what, self.script) = (tool, what, script)
        }

        var testDescription: String { "\(tool) \(what)" }
    }

    private static let disney = "fetch-characters --base-url $url --retries 0 --rate 1000/second --limit 2"
    private static let array = "fetch-characters --source array --input"
    private static let images = "fetch-images --allow-private --retries 0"

    private static let uses = [
        Use(
            "fetch-characters", "source",
            "mv service.json $n.json && fetch-characters --source $n.json --input answer"),
        Use("fetch-characters", "input", "mv answer $n && fetch-characters --source ./service.json --input $n"),
        Use(
            "fetch-characters", "key-file",
            "mv key $n && fetch-characters --source ./service.json --key-file $n --base-url $url --limit 1"),
        Use("fetch-characters", "state", "\(disney) --state $n; echo x >$n; \(disney) --state $n"),
        Use("fetch-characters", "report", "\(array) answer --report $n && grep -c recordsOut $n"),
        Use(
            "fetch-characters", "on-bad-line",
            "\(disney) --source cat-images --each id --on-bad-line $n <bad; cat $n"),
        Use("fetch-characters", "cache", "\(disney) --cache $n && test -d $n && \(disney) --cache $n --offline"),
        Use("fetch-characters", "record", "\(disney) --record $n && \(disney) --replay $n"),
        Use("fetch-characters", "replay", "\(disney) --record r && mv r $n && \(disney) --replay $n"),
        Use("fetch-characters", "XDG_CACHE_HOME", "XDG_CACHE_HOME=$PWD/$n \(disney) && ls $n"),
        Use(
            "fetch-characters", "XDG_DATA_HOME",
            "mkdir -p $n/castline/sources && mv service.json $n/castline/sources/$n.json && "
                + "XDG_DATA_HOME=$PWD/$n fetch-characters --source $n --input answer && "
                + "XDG_DATA_HOME=$PWD/$n fetch-characters --list-sources | wc -l"),
        Use(
            "fetch-images", "dir",
            "\(images) --dir $n --name '{id}' <pictures && \(images) --dir $n --verify && ls $n"),
        Use("fetch-images", "key-file", "mv key $n && \(images) --key header:X-Key --key-file $n <pictures"),
        Use("fetch-images", "placeholder", "mv cat.svg $n && \(images) --placeholder=$n <nothing"),
        Use(
            "fetch-images", "gallery",
            "\(images) --gallery $n.html <pictures && grep -o '<title>.*</title>' $n.html"),
        Use("fetch-images", "report", "\(images) --report $n <pictures && grep -c recordsOut $n"),
        Use("fetch-images", "on-bad-line", "\(images) --on-bad-line $n <bad; cat $n"),
        Use("fetch-images", "cache", "\(images) --cache $n <pictures && test -d $n"),
        Use("fetch-images", "record", "\(images) --record $n <pictures && \(images) --replay $n <pictures"),
        Use(
            "fetch-images", "replay", "\(images) --record r <pictures && mv r $n && \(images) --replay $n <pictures"
        ),
        Use(
            "filter-search", "FILE",
            "mv records $n; filter-search Mick $n bad; filter-search -e Mick $n; filter-search --explain Mick $n $n; filter-search a ./$n."
        ),
        Use("filter-search", "report", "filter-search Mick --report $n <records && grep -c recordsOut $n"),
        Use("filter-search", "on-bad-line", "filter-search Mick --on-bad-line=$n bad; cat $n"),
        Use(
            "store-plist", "FILE",
            "store-plist $n <records && store-plist --load $n && store-plist $n --backup .old --min-records 0 </dev/null; "
                + "ln -s $n link && store-plist link <records && test -h link"),
        Use("store-plist", "report", "store-plist --report $n <records && grep -c recordsOut $n"),
        Use("store-plist", "on-bad-line", "store-plist --on-bad-line $n <bad && cat $n"),
        Use("store-plist", "changes", "store-plist --key id --changes $n <records && cat $n"),
        Use(
            "store-plist", "diff", "store-plist a <records && cp a $n && store-plist --key id --diff $n a; echo $?"),
    ]

    private static func options<Settings>(_ command: Command<Settings>) -> Set<String> {
        Set(
            command.options.filter { $0.valueForms.contains { $0.isFile } }.map {
                "\(command.name) \($0.name)"
            } + (command.takesFiles ? ["\(command.name) FILE"] : []))
    }

    @Test func `are tried with every option and operand that names a file`() {
        let fetch = Self.options(.fetchCharacters).union(Self.options(.fetchImages))
        let all = fetch.union(Self.options(.filterSearch)).union(Self.options(.storePlist))
        #expect(all.subtracting(Self.uses.map(\.testDescription)).isEmpty)
        #expect(all.count > 20)
    }

    private func run(_ use: Use, name: String, _ server: LocalServer) throws -> Session {
        let folder = try ScratchFolder()
        try folder.write(#"{"id":1,"name":"Mick"}"# + "\n", to: "records")
        try folder.write(#"{"id":2,"name":"Mick"}"# + "\nno record\n", to: "bad")
        try folder.write(#"{"id":3,"imageURL":"data:image/svg+xml,<svg/>"}"# + "\n", to: "pictures")
        try folder.write(#"{"id":4}"# + "\n", to: "nothing")
        try folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "cat.svg")
        try folder.write(#"{"data":[{"_id":7,"name":"A"}]}"#, to: "answer")
        try folder.write("s3cret\n", to: "key")
        try folder.write(
            """
            {"name": "x", "baseURL": "https://h.example", "path": "/character", "records": "$.data",
             "pagination": {"type": "none"},
             "key": {"header": "x-key", "env": "X_KEY", "required": true}, "members": {"id": "_id", "name": "name"}}
            """, to: "service.json")
        return try Session.script(
            "n=\(name); url=\(server.url); export X_KEY=k\n{ \(use.script); echo $?; } 2>&1\nfind . | LC_ALL=C sort | grep \"$n\"",
            folder: folder)
    }

    /// The output with another name, and without what differs from run to run.
    private func comparable(_ output: [UInt8], _ name: [UInt8]) -> String {
        var text = output
        while let place = text.firstRange(of: name) { text.replaceSubrange(place, with: Array("NAME".utf8)) }
        return String(decoding: text, as: UTF8.self).replacing("caf\u{FFFD}", with: "NAME")
            .replacing(/castline-[0-9a-f]+|[0-9a-f]{64}|[0-9.]+ s|127.0.0.1:[0-9]+/, with: "*")
    }

    @Test(arguments: uses) func `name the files that others name`(_ use: Use) throws {
        let server = try LocalServer()
        let plain = comparable(try run(use, name: "plain", server).output, Array("plain".utf8))
        let run = try run(use, name: #"$'caf\xe9'"#, server)
        #expect(comparable(run.output, Array("caf".utf8) + [0xE9]) == plain)
        // A file with exactly these bytes is there.
        #expect(run.output.firstRange(of: Array("./caf".utf8) + [0xE9]) != nil, "\(plain)")
    }

    private func refusals<Settings>(_ command: Command<Settings>, _ settings: Settings) {
        let value = String(fileBytes: Array("caf".utf8) + [0xE9])
        for option in command.options where option.argument != .none && !option.valueForms.contains(where: \.isFile)
        {
            var (message, settings) = ("", settings)
            do throws(UsageError) { _ = try command.parse(["--\(option.name)=\(value)"], into: &settings) } catch {
                message = error.message.description
            }
            #expect(message == "--\(option.name) isn't UTF-8; write it in UTF-8", "\(command.name)")
        }
    }

    @Test func `are refused as anything else`() throws {
        refusals(.fetchCharacters, FetchSettings())
        refusals(.fetchImages, ImagesSettings())
        refusals(.filterSearch, FilterSettings())
        refusals(.storePlist, StoreSettings())
        let script = #"""
            filter-search $'caf\xe9' </dev/null; filter-search -f $'caf\xe9' x </dev/null; fetch-images $'caf\xe9' </dev/null
            filter-search $'a\xf4\x8f\xbf\xbfb' <<<$'{"name":"a\xf4\x8f\xbf\xbfb"}' | wc -l
            """#
        let run = try Session.script(script)
        #expect(run.text == "1\n")
        #expect(
            run.errors == """
                filter-search: QUERY isn't UTF-8; write it in UTF-8
                filter-search: --field isn't UTF-8; write it in UTF-8
                fetch-images: 'caf\u{FFFD}' isn't expected; records come on stdin, write fetch-images < 'caf\u{FFFD}'

                """)
    }
}
