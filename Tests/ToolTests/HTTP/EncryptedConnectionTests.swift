// Connections with TLS that are used for several requests. Python's module ssl serves them.

import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "no openssl(1)"),
    .enabled(if: Shells.has("python3"), "no python3"))
struct EncryptedConnectionTests {
    /// Answers each request with the page that it asks for, and tells the number of its connection. After that, where it is
    /// to, it sends a second response that nobody has asked for.
    static let server = """
        import json, socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('own.pem', 'key')
        listener = socket.create_server(('127.0.0.1', 0))
        print(listener.getsockname()[1], flush=True)
        def response(number):
            body = json.dumps({'info': {'totalPages': 3}, 'data': [{'_id': number, 'name': 'x'}]}).encode()
            return b'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body) + body
        def serve(connection, count):
            connection = context.wrap_socket(connection, server_side=True)
            while True:
                head = b''
                while b'\\r\\n\\r\\n' not in head:
                    more = connection.recv(65536)
                    if not more: return
                    head += more
                page = int(head.split(b'page=')[1].split(b'&')[0])
                print(count, page, flush=True)
                connection.sendall(response(page))
                if sys.argv[1] == 'twice': connection.sendall(response(page + 10))
        count = 0
        while True:
            connection, _ = listener.accept()
            count += 1
            threading.Thread(target=serve, args=(connection, count), daemon=True).start()
        """

    @Test(arguments: [("once", ["1 1", "1 2", "1 3"]), ("twice", ["1 1", "2 2", "3 3"])])
    func `a connection is used again unless something came on it unasked`(responses: String, requests: [String])
        throws
    {
        let folder = try ScratchFolder()
        try folder.write(Self.server.utf8, to: "server.py")
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out own.pem -days 2 \\
              -subj /CN=test -addext subjectAltName=IP:127.0.0.1 2>errors || exit 99
            python3 server.py \(responses) >log 2>errors & server=$!
            for wait in {1..300}; do [ -s log ] && break; sleep 0.1; done
            CURL_CA_BUNDLE=own.pem fetch-characters --base-url https://127.0.0.1:$(head -n 1 log) --page-size 1 \\
              --rate 1/second --jobs 1 --retries 0 --cache none --raw
            status=$?; kill $server; tail -n +2 log; exit $status
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.lines == (1...3).map { #"{"_id": \#($0), "name": "x"}"# } + requests)
    }
}
