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
            ("{nme}", "none of 2 records has nme, which --name names; did you mean name? they have id, name"),
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
        #expect(run.errors.contains("the deadline came before the end of <stdin>; raise --deadline or try later"))
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
        #expect(run.errors.contains("the deadline came before the end of <stdin>; raise --deadline or try later"))
        #expect(run.text.contains("\"id\":1,") && run.text.contains("the deadline came before the answer of"))
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
        let folder = try ScratchFolder()
        let script = """
            echo '{"imageURL":"\(server.url)/images/bear.png"}' \\
            | fetch-images --allow-private --cache none >&-; echo $?
            fetch-images --cache none <&-; echo $?
            echo garbage | fetch-images --report r 2>&-; echo $?; cut -c1-22 r
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.lines == ["74", "74", "65", #"{"tool":"fetch-images""#])
        #expect(
            run.errors.contains("cannot write to <stdout>: bad file descriptor; open the stream before the run"))
        #expect(run.errors.contains("cannot read <stdin>: bad file descriptor; open the stream before the run"))
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
