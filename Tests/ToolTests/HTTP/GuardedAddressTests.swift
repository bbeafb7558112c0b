// A service with a public address, and what it redirects to: in a network namespace, where those addresses are the test's
// own, so that a guard that fails reaches nothing else.

import TestSupport
import Testing

@Suite("Addresses that aren't public") struct GuardedAddressTests {
    /// `/list/TO` has a record and a next page that `/away-to-TO` redirects to the address TO.
    private static let server = #"""
        import http.server, json, socketserver
        class Service(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if not self.headers["Host"].startswith("93.184.0.1"): open("reached", "a").write(self.path)
                away = self.path.split("/away-to-")
                body = json.dumps({"data": [{"id": 1, "name": "SECRET"}], "id": 1, "name": "SECRET"}).encode()
                if len(away) == 2:
                    self.send_response(302)
                    self.send_header("Location", "http://" + away[1].split("/")[0].split("?")[0] + ":8000/")
                else:
                    self.send_response(200)
                    if self.path.startswith("/list/"):
                        to = "http://93.184.0.1:8000/away-to-" + self.path.split("/")[2].split("?")[0]
                        body = json.dumps({"data": [{"id": 1, "name": "a", "url": to}], "next": to}).encode()
                self.send_header("Content-Length", len(body))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *_): pass
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): pass
        Server(("0.0.0.0", 8000), Service).serve_forever()
        """#

    /// Each way to a redirect: the list, its next page, a step, a single record, `--learn`, and pictures.
    private static let script = #"""
        ip link set lo up || exit 99
        for address in 93.184.0.1 169.254.169.254 10.0.0.1; do ip address add $address/32 dev lo || exit 99; done
        python3 server.py & server=$!
        for turn in {1..100}; do curl -s -o /dev/null http://93.184.0.1:8000/ && break; sleep 0.1; done
        fetch() {
            printf '{"name":"s","baseURL":"http://93.184.0.1:8000","records":"$.data",%s}' "$1" > s.json
            fetch-characters --source s.json --cache none --retries 0 "${@:2}"; echo "[$?]"
        }
        one='"pagination":{"type":"none"}'
        for to in 169.254.169.254 10.0.0.1 127.0.0.1; do
            fetch '"path":"/away-to-'$to'",'"$one"
            fetch '"path":"/list/'$to'","pagination":{"type":"next-url","next":"next"}'
            fetch '"path":"/list/'$to'",'"$one"',"expand":[{"name":"e","url":"url","record":true}]'
            fetch '"path":"/","item":"/away-to-'$to'/{id}",'"$one" --id 1
            for path in away-to-$to list/$to; do fetch-characters --learn http://93.184.0.1:8000/$path; echo "[$?]"; done
            for url in 93.184.0.1:8000/away-to-$to $to:8000; do
                echo '{"imageURL":"http://'$url'"}' | fetch-images --cache none --retries 0; echo "[$?]"
            done
        done
        kill $server
        """#

    @Test func `are reached by no redirect of a public service`() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.server.utf8, to: "server.py")
        try folder.write(Self.script.utf8, to: "script")
        let run = try Session.script("unshare -rn bash script", folder: folder, limitSeconds: 120)
        // Containers often forbid namespaces.
        if run.status == 99 || run.errors.contains("unshare") {
            try Test.cancel("no network namespace: \(run.errors)")
        }
        let statuses = run.lines.filter { $0.hasPrefix("[") }
        #expect(statuses.count == 24 && statuses.allSatisfy { ["[76]", "[77]"].contains($0) }, "\(run.text)")
        let names = try folder.names()
        #expect(!run.text.contains("SECRET") && !names.contains("reached"), "\(run.text)")
    }
}
