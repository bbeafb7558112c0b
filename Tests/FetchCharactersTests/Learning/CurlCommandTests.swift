// curl commands as bash, zsh, cmd, Postman and documentation write them, and what is made of each.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("A curl command")
struct CurlCommandTests {
    /// The description as far as the command says it, without its name, and the keys with what the command has for them.
    private static func learnt(_ command: String) throws -> String {
        let request = try CurlCommand.request(command)
        let list = try request.listRequest()
        var description = LearntDescription(list)
        description.unproved = [.records, .pagination]
        let keys = description.request.keys.map { "\($0.variable ?? "")=\($0.text ?? "?")" }
        let text = description.text.split(separator: "\n").dropFirst(2).dropLast()
            .map { $0.drop { $0 == " " } }.joined(separator: " ")
        return ([text] + keys + request.notes).joined(separator: " | ")
    }

    static let taken: [(String, String)] = [
        ("curl https://h/l", "@"),
        ("  $ curl 'https://h/l'  ", "@"),
        ("/usr/bin/curl --location --request GET 'https://h/l'", "@"),
        ("curl -sSL -XGET --compressed --url https://h/l", "@"),
        ("curl \\\n  -s \\\n  https://h/l", "@"),
        ("curl https://h/l\n  -H 'A: b'", #"@, "headers": {"A": "b"}"#),
        ("curl h/l", "http@"),
        (#"curl "https://h/l?a=1&b=x%20y""#, #"@, "query": {"a": "1", "b": "x y"}"#),
        ("curl https://h/l?a=1&b=2", #"@, "query": {"a": "1", "b": "2"}"#),
        (
            "curl https://h/l -H 'A: it'\\''s' -H B:c -H 'C;' -H 'D:'",
            #"@, "headers": {"A": "it's", "B": "c", "C": ""}"#
        ),
        (#"curl https://h/l -H $'A: \u00e9\t\x21\ud83d\ude00'"#, "@, \"headers\": {\"A\": \"é\\t!😀\"}"),
        ("curl \"https://h/l\\\n?a=1\" -H 'A: b' -H 'a: c'", #"@, "headers": {"a": "c"}, "query": {"a": "1"}"#),
        (#"curl https://h/l -H "A: \"x\" \$y""#, #"@, "headers": {"A": "\"x\" $y"}"#),
        (
            "curl ^\"https://h/l?a=1^&b=2^\" ^\n  -H ^\"accept: */*^\" ^\n  -H ^\"A: ^\\^\"x^\\^\"^\"",
            #"@, "headers": {"accept": "*/*", "A": "\"x\""}, "query": {"a": "1", "b": "2"}"#
        ),
        ("curl.exe \"https://h/l\" -H \"A: b\"", #"@, "headers": {"A": "b"}"#),
        (
            "curl -A x -e https://h/ https://h/l",
            #"@, "headers": {"User-Agent": "x", "Referer": "https://h/"}"#
        ),
        ("curl -G https://h/l -d a=1 --data-urlencode 'b=x y&'", #"@, "query": {"a": "1", "b": "x y&"}"#),
        ("curl https://h/l --url-query 'a=x y'", #"@, "query": {"a": "x y"}"#),
        (
            "curl https://h/l -d a=1 -d 'b=x+y'",
            #"@, "method": "POST", "form": {"a": "1", "b": "x y"}"#
        ),
        (
            #"curl https://h/l --json '{"a":[1,' --json '"b"]}'"#,
            #"@, "method": "POST", "body": {"a": [1, "b"]}"#
        ),
        (
            #"curl -X POST https://h/l -H 'content-type: application/json' --data-raw '{"a":1}'"#,
            #"@, "method": "POST", "body": {"a": 1}"#
        ),
        // What a run sends itself, and what a browser makes conditional.
        ("curl https://h/l -H 'Host: h' -H 'If-None-Match: x' -H ':authority: h' -H 'Range: bytes=0-'", "@"),
        // Keys.
        (
            "curl https://h/l -H 'X-Api-Key: k123'",
            #"@, "key": {"header": "X-Api-Key", "env": "L_KEY", "required": true} | L_KEY=k123"#
        ),
        (
            "curl https://h/l -H 'Authorization: Bearer t1' -b 'a=b; sid=c'",
            #"@, "key": [ {"header": "Authorization", "prefix": "Bearer ", "env": "L_KEY", "required": true}, {"header": "Cookie", "env": "L_COOKIE", "required": true} ] | L_KEY=t1 | L_COOKIE=a=b; sid=c"#
        ),
        (
            "curl https://h/l -H 'cookie: a=b' -b 'c=d'",
            #"@, "key": {"header": "cookie", "env": "L_COOKIE", "required": true} | L_COOKIE=a=b; c=d"#
        ),
        (
            "curl -u u:p https://h/l",
            #"@, "key": {"basic": true, "env": "L_LOGIN", "required": true} | L_LOGIN=u:p"#
        ),
        (
            "curl https://u:p%40@h/l",
            #"@, "key": {"basic": true, "env": "L_LOGIN", "required": true} | L_LOGIN=u:p@"#
        ),
        (
            "curl https://h/l -H 'Authorization: Basic dTpw'",
            #"@, "key": {"basic": true, "env": "L_LOGIN", "required": true} | L_LOGIN=u:p"#
        ),
        (
            #"curl https://h/l -H "Authorization: Bearer $TOKEN" -H "X: ${OTHER}""#,
            #"@, "key": [ {"header": "Authorization", "prefix": "Bearer ", "env": "TOKEN", "required": true}, {"header": "X", "env": "OTHER", "required": true} ] | TOKEN=? | OTHER=?"#
        ),
        ("curl https://h/l -H 'A: $B'", #"@, "headers": {"A": "$B"}"#),
        (
            "curl 'https://h/l?api_key=k&a=1'",
            #"@, "query": {"a": "1"}, "key": {"query": "api_key", "env": "L_KEY", "required": true} | L_KEY=k"#
        ),
        (
            #"curl https://h/l --json '{"token":"k","a":1}'"#,
            #"@, "method": "POST", "body": {"a": 1}, "key": {"body": "$.token", "env": "L_KEY", "required": true} | L_KEY=k"#
        ),
        // What stands behind it, and what isn't taken.
        ("curl -s https://h/l | jq .", "@ | | jq . is left out"),
        ("curl https://h/l > x.json", "@ | > x.json is left out"),
        ("curl https://h/l 2>/dev/null", "@ | >/dev/null is left out"),
        ("curl https://h/l && ls", "@ | && ls is left out"),
        ("curl -k -x http://p:1 https://h/l", "@ | --insecure is ignored | --proxy is ignored"),
    ]

    @Test(arguments: taken)
    func `is taken for its request`(_ command: String, _ expected: String) throws {
        let base = #""baseURL": "https://h", "path": "/l""#
        let whole = expected.replacing("http@", with: base.replacing("https", with: "http"))
        #expect(try Self.learnt(command) == (whole.hasPrefix("@") ? base + whole.dropFirst() : whole))
    }

    static let refused: [(String, String)] = [
        ("curl", "no URL"), ("wget https://h/l", "begins with curl"),
        ("curl 'https://h/l", "a quote has no end at column 6"),
        ("curl \\\n -H \"A: b https://h/l", "line 2, column 5"), ("curl $'https://h", "column 6"),
        ("curl ^\"https://h/l", "a quote has no end at column 6"),
        ("curl https://h/l -d @body", "@body reads a file"),
        ("curl https://h/l --data-binary @body", "reads a file"), ("curl https://h/l --json @b", "reads a file"),
        ("curl https://h/l --data-urlencode a@b", "reads a file"), ("curl https://h/l -H @f", "reads a file"),
        ("curl https://h/l -b jar", "reads a file"), ("curl https://h/l -o x", "--output reads or writes a file"),
        ("curl -O https://h/l", "--remote-name"), ("curl -T x https://h/l", "--upload-file"),
        ("curl -F a=b https://h/l", "--form"), ("curl -K x https://h/l", "--config"),
        ("curl -I https://h/l", "-I isn't known"),
        ("curl -X DELETE https://h/l", "DELETE may change"), ("curl -XPUT https://h/l -d a=b", "PUT may change"),
        ("curl ftp://h/l", "scheme ftp"), ("curl file:///etc/passwd", "scheme file"),
        ("curl https://h/l https://h/m", "several URLs"),
        ("curl 'https://h/l?p=[1-9]'", "as several URLs"), ("curl 'https://h/{a,b}'", "as several URLs"),
        ("curl https://h/l?a=$(id)", "runs another one at column 20"),
        ("curl https://h/l?a=`id`", "runs another one"),
        ("curl https://h/$X", "the URL has a variable"),
        ("curl https://h/l -d a=$X", "--data has a variable"),
        ("curl https://h/${X:-1}", "only a shell knows"), ("curl https://h/l -H \"A: $B c\"", "write its value"),
        ("curl --nosuch https://h/l", "--nosuch isn't known"), ("curl -q9 https://h/l", "isn't known"),
        ("curl -u u https://h/l", "no password"), ("curl https://h/l -H", "--header has no value"),
        (#"curl https://h/l --json '{"query":"mutation { x }"}'"#, "a mutation changes"),
        (#"curl https://h/l --json '{"query":"query A { x } mutation B { y }"}'"#, "a mutation changes"),
        (#"curl https://h/l --json '{"a":{"$file":"/etc/passwd"}}'"#, "$file"),
        ("curl https://h/l -H 'Content-Type: text/xml' -d '<a/>'", "neither JSON nor a form"),
        ("curl https://h/l -d a=1 -d a=2", "twice"), ("fetch(\"https://h/l\")", "Copy as cURL (bash)"),
        ("Invoke-WebRequest -Uri \"https://h/l\"", "Copy as cURL (bash)"),
        ("curl https://h/l -H 'A: {b}'", "braces"),
    ]

    @Test(arguments: refused)
    func `is refused by what it has`(_ command: String, _ words: String) throws {
        do throws(UsageError) {
            let request = try CurlCommand.request(command)
            _ = try request.listRequest()
            Issue.record("taken: \(command)")
        } catch {
            #expect(error.message.description.contains(words))
        }
    }

    @Test func `as --explain prints it is read again`() throws {
        let explanation = RequestExplanation(userAgent: "castline", Diagnostics(tool: "x"))
        let texts = [
            "a", "it's", "x y", "é\t😀", "\"q\"", "$A`b`", "\\n", "a&b=c", "{\"a\":[1]}", "%41", "^\"", "-d", "#",
        ]
        for text in texts {
            for body in [nil, #"{"q":"\#(text.filter { !"\"\\\t".contains($0) })"}"#] {
                var request = try HTTPRequest("https://h/l?q=\(HTTPURL.percentEncoded(text))&p[1]=2")
                try request.add("X-A", text.replacing("\t", with: " "))
                if let body {
                    try request.post(HTTPRequest.Body(mediaType: "application/json", bytes: Array(body.utf8)))
                }
                let copied = try CurlCommand.request(explanation.command(request))
                #expect(copied.url == request.url.text && copied.body == body, "\(text)")
                let field = copied.fields.first { $0.name == "X-A" }?.value.text
                #expect(field == String(request.fields[0].value.drop { $0 == " " }))
            }
        }
    }
}
