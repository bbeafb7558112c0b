// curl commands as bash, zsh, cmd, Postman and documentation write them, and what is made of each.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("A curl command")
struct CurlCommandTests {
    /// The description as far as the command says it, without its name, and the keys with what the command has for them.
    private static func learnt(_ command: String) throws -> String {
        let (list, notes) = try CurlCommand.request(command).taken()
        let description = LearntDescription(list)
        let keys = description.request.keys.map { "\($0.variable ?? "")=\($0.text ?? "?")" }
        let lines = description.text.split(separator: "\n").dropFirst(2).dropLast().map { $0.drop { $0 == " " } }
        let ofList = ["\"records\":", "\"pagination\":"]
        var text = lines.filter { line in !ofList.contains(where: line.hasPrefix) }.joined(separator: " ")
        if text.hasSuffix(",") { text.removeLast() }
        return ([text] + keys + notes).joined(separator: " | ")
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
        ("curl \"https://h/l\\\n?a=1\" -H 'A: b' -H 'a: c'", #"@, "headers": {"A": "b, c"}, "query": {"a": "1"}"#),
        (#"curl https://h/l -H "A: \"x\" \$y""#, #"@, "headers": {"A": "\"x\" $y"}"#),
        (
            "curl ^\"https://h/l?a=1^&b=2^\" ^\n  -H ^\"accept: */*^\" ^\n  -H ^\"A: ^\\^\"x^\\^\"^\"",
            #"@, "headers": {"accept": "*/*", "A": "\"x\""}, "query": {"a": "1", "b": "2"}"#
        ),
        ("curl.exe \"https://h/l\" -H \"A: b\"", #"@, "headers": {"A": "b"}"#),
        // Older copies of Chrome, and Firefox.
        (
            "curl \"https://h/l?kind=a^&limit=10^&q=x^%^2Cy\" ^\n  -H \"accept: */*\" ^\n  --compressed",
            #"@, "headers": {"accept": "*/*"}, "query": {"kind": "a", "limit": "10", "q": "x,y"}"#
        ),
        (#"curl "https://h/l?a=1^&b=x^%^2C2" --compressed"#, #"@, "query": {"a": "1", "b": "x,2"}"#),
        (
            "curl \"https://h/l\" ^\n  --data-raw \"{\"\"a\"\":\"\"b^c\"\"}\" ^\n -H \"content-type: application/json\"",
            #"@, "method": "POST", "body": {"a": "b^c"}"#
        ),
        (#"curl "https://h/l?a=x^y" -H "A: b""#, #"@, "headers": {"A": "b"}, "query": {"a": "x^y"}"#),
        (#"curl https://h/l -H $'A: \103\60xz\101\0601'"#, #"@, "headers": {"A": "C0xzA01"}"#),
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
        (
            "curl https://h/l -H 'Host: H:443' -H 'Content-Length: 0' -H ':authority: h' -H 'accept-encoding: gzip'",
            "@"
        ),
        (
            "curl https://h/l -H 'If-None-Match: x' -H 'Range: bytes=0-' -H 'accept-encoding: gzip, br'",
            "@ | left out of the request: If-None-Match, Range, accept-encoding, which a list is asked for without"
        ),
        // A body is sent as what it was sent as.
        (
            #"curl https://h/l -d '{"a":1}'"#,
            #"@, "headers": {"Content-Type": "application/x-www-form-urlencoded"}, "method": "POST", "body": {"a": 1}"#
        ),
        (
            #"curl https://h/l -H 'content-type: application/vnd.api+json' -d '{"b":1,"a":2}'"#,
            #"@, "headers": {"Content-Type": "application/vnd.api+json"}, "method": "POST", "body": {"b": 1, "a": 2}"#
        ),
        (
            "curl https://h/l -H 'Content-Type: application/x-www-form-urlencoded; charset=utf-8' -d b=1 -d a=2",
            #"@, "headers": {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}, "method": "POST", "form": {"b": "1", "a": "2"}"#
        ),
        (
            "curl -X POST https://h/l -H 'Content-Type: a/b'",
            #"@, "headers": {"Content-Type": "a/b"}, "method": "POST""#
        ),
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
            #"@, "method": "POST", "body": {"token": "", "a": 1}, "key": {"body": "$.token", "env": "L_KEY", "required": true} | L_KEY=k"#
        ),
        // What stands behind it, and what isn't taken.
        ("curl -s https://h/l | jq .", "@ | | jq . is left out"),
        ("curl https://h/l > x.json", "@ | > x.json is left out"),
        ("curl https://h/l 2>/dev/null", "@ | >/dev/null is left out"),
        ("curl https://h/l && ls", "@ | && ls is left out"),
        (
            "curl -k --proxy http://p:1 https://h/l",
            "@ | -k (--insecure) isn't taken; the request is sent without it"
                + " | --proxy isn't taken; the request is sent without it"
        ),
        (
            "curl 'https://h/l;jsessionid=A1B2?a=1'",
            #"@, "query": {"a": "1"} | the session jsessionid in the path is left out"#
        ),
    ]

    @Test(arguments: taken)
    func `is taken for its request`(_ command: String, _ expected: String) throws {
        let base = #""baseURL": "https://h", "path": "/l""#
        let whole = expected.replacing("http@", with: base.replacing("https", with: "http"))
        let learnt = try Self.learnt(command)
        #expect(learnt == (whole.hasPrefix("@") ? base + whole.dropFirst() : whole))
    }

    static let refused: [(String, String)] = [
        ("curl", "no URL"), ("wget https://h/l", "begins with curl"),
        ("curl 'https://h/l", "a quote has no end at column 6"),
        ("curl \\\n -H \"A: b https://h/l", "line 2, column 5"), ("curl $'https://h", "column 6"),
        ("curl ^\"https://h/l", "a quote has no end at column 6"),
        ("curl https://h/l -d @body", "reads a file"),
        ("curl https://h/l --data-binary @body", "reads a file"), ("curl https://h/l --json @b", "reads a file"),
        ("curl https://h/l --data-urlencode a@b", "reads a file"), ("curl https://h/l -H @f", "reads a file"),
        ("curl https://h/l -b jar", "reads a file"), ("curl https://h/l -o x", "(--output) reads or writes a file"),
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
        ("curl https://h/l -d a=1 -d a=2", "twice"),
        ("curl https://h/l --json '{\"a\":{\"b\":1,\"b\":1}}'", "$.a.b twice"),
        ("curl https://h/l -H 'X-Key: a1' -H 'x-key: a2'", "x-key stands twice"),
        ("curl 'https://h/l?token=a1&token=a2'", "token stands twice"),
        ("curl https://h/l -d a=1 -H 'Content-Type: a/b' -H 'content-type: c/d'", "Content-Type stands twice"),
        ("curl -X GET https://h/l -d a=1", "a GET with a body"), ("curl https://h/l -d '[1]'", "a JSON array"),
        ("curl https://h/l -H 'Host: other'", "Host names another host"),
        ("curl https://h/l -H 'Host: h:8080'", "Host names another host"),
        ("curl https://h/l -d a=1 -H 'X-HTTP-Method-Override: DELETE'", "X-HTTP-Method-Override asks for DELETE"),
        // Ways to log in that nothing but their own program knows.
        ("curl --digest -u u:p https://h/l", "--digest is a way to log in"),
        ("curl --ntlm -u u:p https://h/l", "--ntlm"), ("curl --negotiate -u : https://h/l", "--negotiate"),
        ("curl --anyauth -u u:p https://h/l", "--anyauth"), ("curl -E c.pem https://h/l", "-E (--cert)"),
        ("curl --cert c.pem --key k.pem https://h/l", "--cert"), ("curl --key k.pem https://h/l", "--key"),
        ("curl --aws-sigv4 aws:amz https://h/l", "--aws-sigv4"),
        ("curl https://h/l -H 'Authorization: Digest username=\"u\"'", "Authorization: Digest is valid for one"),
        ("curl https://h/l -H 'Authorization: AWS4-HMAC-SHA256 Credential=x'", "valid for one request"),
        // What changes something, wherever it stands.
        ("curl 'https://h/g?query=mutation%7Ba%7D'", "a mutation changes"),
        ("curl 'https://h/g?query=%0A%23c%0A+mutation+A(%24a:Int)%7Ba%7D'", "a mutation changes"),
        (
            "curl -G https://h/g --data-urlencode 'query=query A { a(x: \"}}\") } mutation B { b }'",
            "a mutation changes"
        ),
        ("curl https://h/g -d 'query=mutation{a}'", "a mutation changes"),
        // What a copy changes.
        ("curl “https://h/l”", "a curly quote (“)"), ("curl ‘https://h/l’", "a curly quote (‘)"),
        ("curl https://h/l –H 'A: b'", "an en dash (–)"), ("curl https://h/l —header 'A: b'", "an em dash (—)"),
        ("curl https://h/l −k", "a minus sign"),
        ("curl \\ \n https://h/l", "a space stands behind the \\ at the end of line 1"),
        ("curl \"https://h/l\" ^ \n -H \"A: b\"", "a space stands behind the ^"),
        ("```bash\ncurl https://h/l\n```", "a Markdown fence (```)"), ("~~~\ncurl https://h/l\n~~~", "fence (~~~)"),
        ("`curl https://h/l`", "a Markdown quote"), ("> curl https://h/l", "a Markdown quote"),
        ("curl 'https://h/l?a=1&amp;b=2'", "&amp;"), ("curl https://h/l\u{200B}", "an invisible space"),
        // Secrets that no description can keep.
        (#"curl https://h/l --json '{"a":{"pin":4711}}'"#, "$.a.pin is a key and a number"),
        ("curl 'https://h/l;token=k3y/x'", "token in the URL's path"),
        ("curl https://h/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/l", "in the URL's path"),
        ("curl https://h/token/k9Secret7731/l", "what follows token in the URL's path"),
        (
            #"curl https://h/g --json '{"query":"{ a(apiKey: \"k3y\") { b } }"}'"#,
            "$.query has a key within a longer text"
        ),
        ("fetch(\"https://h/l\")", "Copy as cURL (bash)"),
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
