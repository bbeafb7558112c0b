// fetch-images and its input: what ends a run early, and what comes out then.

import Foundation
import TestSupport
import Testing

@Suite("The input of fetch-images")
struct ImageInputTests {
    private static let none = #"{"imageFile":{"status":"none"}}"#

    @Test
    func `a member of --name that no record has is told`() throws {
        let input = #"{"id":1,"name":"Mick"}"# + "\n{}\n"
        for (template, message) in [
            ("{nme}", "none of 2 records has nme, used in --name; did you mean name? they have id, name"),
            ("{name} {id}", ""),
        ] {
            let run = try Session("fetch-images", ["--name", template], input: input.utf8)
            #expect(run.status == 0)
            #expect(run.errors.contains("--name") == !message.isEmpty, "\(run.errors)")
            #expect(message.isEmpty || run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test
    func `a run ends at its deadline though nothing comes in and nothing is under way`() throws {
        // The pipe's writing end stays open, so that the input never ends.
        let run = try Session.script(
            "mkfifo f; exec 3<>f; echo '{}' >&3; fetch-images --deadline 1s <&3; echo $?")
        #expect(run.lines == [Self.none, "75"])
        #expect(run.errors.contains("the deadline passed before the end of <stdin>; raise --deadline or try later"))
    }

    @Test
    func `a run ends at its deadline though more comes in, and what was read comes out`() throws {
        let server = try LocalServer(faults: ["path=/images,hang"])
        // Each record has another picture, so that there is always one to be asked for.
        let script = """
            seq 1 99999999 | sed 's|.*|{"id":&,"imageURL":"\(server.url)/images/&.png"}|' \\
            | fetch-images --allow-private --retries 0 --cache none --deadline 2s >out; echo ${PIPESTATUS[2]}
            head -n 1 out
            """
        let run = try Session.script(script, limitSeconds: 50)
        #expect(run.lines.first == "75", "\(run.text) \(run.errors)")
        #expect(run.errors.contains("the deadline passed before the end of <stdin>; raise --deadline or try later"))
        #expect(run.text.contains("\"id\":1,") && run.text.contains("the deadline passed before "))
    }

    @Test
    func `pictures in the lines are looked at up to the deadline and no longer`() throws {
        let script = """
            yes '{"imageURL":"data:,<svg/>"}' | fetch-images --cache none --deadline 1s >out; echo ${PIPESTATUS[1]}
            tail -c 1 out | od -An -c
            """
        let run = try Session.script(script, limitSeconds: 50)
        #expect(run.lines == ["75", "  \\n"], "\(run.text) \(run.errors)")
    }

    @Test
    func `records before the line that ends a run come out, whatever is waited for`() throws {
        let server = try LocalServer(faults: ["path=/images,delay=300ms"])
        let bear = "{\"imageURL\":\"\(server.url)/images/bear.png\"}"
        let input = "\(bear)\n{}\nbad\n{}\n"
        let run = try Session(
            "fetch-images", ["--allow-private", "--on-bad-line=stop", "--cache", "none"], input: input.utf8)
        #expect(run.status == 65)
        #expect(run.lines.count == 2 && run.lines.last == Self.none)
        #expect(run.lines.first?.contains(#""status":"ok""#) == true)
        #expect(run.errors.contains("<stdin>:3:1: expected a record"))
    }

    @Test
    func `streams that are closed are errors, and no file or connection takes their places`() throws {
        let server = try LocalServer()
        let script = """
            echo '{"imageURL":"\(server.url)/images/bear.png"}' \\
            | fetch-images --allow-private --cache none >&-; echo $?
            fetch-images --cache none <&-; echo $?
            echo garbage | fetch-images --report r 2>&-; echo $?; cut -c1-22 r
            """
        let run = try Session.script(script, folder: ScratchFolder())
        #expect(run.lines == ["74", "74", "65", #"{"tool":"fetch-images""#])
        #expect(
            run.errors.contains("cannot write to <stdout>: bad file descriptor; give it a file or a pipe"))
        #expect(run.errors.contains("cannot read <stdin>: bad file descriptor; give it a file or a pipe"))
    }

    @Test
    func `an address that is refused counts as no request, with a proxy or without`() throws {
        let script = """
            echo '{"imageURL":"http://127.0.0.1:9/x.png"}' >in
            fetch-images --cache none --report r <in 2>/dev/null; echo $?; grep -o '"requests":[-0-9]*' r
            export http_proxy=http://127.0.0.1:9
            fetch-images --cache none --report r <in 2>/dev/null; echo $?; grep -o '"requests":[-0-9]*' r
            """
        let run = try Session.script(script)
        let codes = run.lines.filter { !$0.hasPrefix("{") }
        #expect(codes == ["77", #""requests":0"#, "77", #""requests":0"#], "\(run.text)")
    }

    @Test
    func `a header line of any length is the server's fault`() throws {
        let line = "X: " + String(repeating: "a", count: 110_000)
        let server = try LocalServer(faults: ["path=/images,header=\(line)"])
        let input = "{\"imageURL\":\"\(server.url)/images/bear.png\"}\n"
        let run = try Session(
            "fetch-images", ["--allow-private", "--retries", "0", "--cache", "none"], input: input.utf8)
        #expect(run.status == 76)
        #expect(run.text.contains("a header line that never ends"))
    }
}

// One answer in twenty fails, each in another way, and nothing of it shows in what comes out.

@Suite("A run of which one answer in twenty fails, in all ways in turn")
struct DisturbedRunTests {
    /// As many records as make one request for two of them, with a picture each.
    private static func catalogue(_ count: Int, in folder: ScratchFolder) throws -> String {
        let pictures = ["fox.png", "bear.png", "bee.gif", "key.svg", "drop.bmp", "gem.ico", "owl.png"]
        let records = (1...count).map { number in
            let picture = pictures[number % pictures.count]
            return #"{"_id":\#(number),"name":"Number \#(number)","url":"/character/\#(number)","#
                + #""imageUrl":"@BASE@/images/\#(picture)?\#(number)"}"#
        }
        try folder.write("[\(records.joined(separator: ",\n"))]".utf8, to: "catalogue.json")
        return folder.path("catalogue.json")
    }

    private static func waysMet(_ server: LocalServer) throws -> Set<String> {
        Set(try server.requests.compactMap(\.fault))
    }

    @Test
    func `writes the same characters, byte for byte`() throws {
        let folder = try ScratchFolder()
        let catalogue = try Self.catalogue(1400, in: folder)
        let quiet = try LocalServer(catalogue: catalogue)
        let disturbed = try LocalServer(faults: ["every=20,in-turn=all"], catalogue: catalogue)
        let options = ["--page-size", "2", "--timeout", "500ms", "--seal", "--rate", "1000000/second"]
        let expected = try Session("fetch-characters", ["--base-url", quiet.url] + options)
        let run = try Session("fetch-characters", ["--base-url", disturbed.url] + options)
        #expect(expected.status == 0 && expected.lines.count == 1401)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.text.replacing(disturbed.url, with: quiet.url) == expected.text)
        #expect(try Self.waysMet(disturbed).count == 25)
    }

    @Test
    func `fetches the same pictures and tells the same of them`() throws {
        let folder = try ScratchFolder()
        let catalogue = try Self.catalogue(700, in: folder)
        let quiet = try LocalServer(catalogue: catalogue)
        let disturbed = try LocalServer(
            faults: ["path=/images,every=40,in-turn=mended", "path=/images,every=40,in-turn=odd"],
            catalogue: catalogue)
        let told = { (server: LocalServer, name: String) in
            let run = try Session.script(
                """
                set -o pipefail
                fetch-characters --base-url \(server.url) --page-size 1000 --seal |
                    fetch-images --allow-private --dir \(name) --timeout 500ms
                """, folder: folder)
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
            return run.text.replacing(server.url, with: "").replacing("\(name)/", with: "")
        }
        #expect(try told(quiet, "quiet") == told(disturbed, "disturbed"))
        #expect(try Session.script("diff -r quiet disturbed", folder: folder).status == 0)
        #expect(try Self.waysMet(disturbed).count == 23)
    }
}

// Pictures over TLS, from a service whose certificate only the environment makes known.

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "no openssl(1)"))
struct ImageCertificateTests {
    @Test
    func `a certificate is trusted where the environment names it, and refused where not`() throws {
        let folder = try ScratchFolder()
        try folder.write(try Data(contentsOf: URL(fileURLWithPath: "\(Fixtures.pictures)/cat.png")), to: "cat.png")
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out own.pem -days 2 \
              -subj /CN=test -addext subjectAltName=IP:127.0.0.1 2>errors || exit 99
            for try in 1 2 3 4 5; do
              port=$((20000 + RANDOM % 20000))
              openssl s_server -WWW -quiet -key key -cert own.pem -accept 127.0.0.1:$port >server 2>&1 & server=$!
              for wait in 1 2 3 4 5 6 7 8 9 10; do
                (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break 2; sleep 0.1
              done
              kill $server
            done
            echo "{\\"imageURL\\":\\"https://127.0.0.1:$port/cat.png\\"}" >record
            for name in NONE=x SSL_CERT_FILE=own.pem CURL_CA_BUNDLE=own.pem; do
              env $name fetch-images -q --allow-private --retries 0 --cache none <record | grep -o '"status":"[a-z]*"'
              echo ${PIPESTATUS[0]}
            done
            CURL_CA_BUNDLE=none.pem fetch-images -q --allow-private --retries 0 --cache none <record \\
              | grep -o 'check CURL_CA_BUNDLE'
            kill $server
            """
        let run = try Session.script(script, folder: folder)
        let fetched = ["\"status\":\"ok\"", "0"]
        let failed = ["\"status\":\"failed\"", "69"]
        #expect(run.lines == failed + fetched + fetched + ["check CURL_CA_BUNDLE"], "\(run.errors)")
    }
}
