#!/usr/bin/env python3
"""The servers of packaging/check, all on 127.0.0.1. Each prints its port when it is ready, and ends with its parent.

    server.py files DIR              DIR by HTTP; below /half/ half of each file, and then the connection ends
    server.py secure DIR PEM         DIR by HTTPS, with the certificate and key in PEM
    server.py names NAME [PORT]      DNS: NAME is 127.0.0.1, and there is no other

Requests go to stderr, a line each.
"""
import ctypes
import functools
import http.server
import os
import signal
import socket
import ssl
import struct
import sys


class Files(http.server.SimpleHTTPRequestHandler):
    timeout = 30

    def do_GET(self):
        if not self.path.startswith("/half/"):
            return super().do_GET()
        with open(os.path.join(self.directory, self.path[len("/half/"):]), "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2])
        self.close_connection = True


def names(name, port):
    """An answer for the one name's address; for its other types no record, for other names that they don't exist."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", port))
    print(server.getsockname()[1], flush=True)
    while True:
        query, client = server.recvfrom(1500)
        end, labels = 12, []
        while query[end]:
            labels.append(query[end + 1 : end + 1 + query[end]].decode("ascii").lower())
            end += 1 + query[end]
        question, asked = query[12 : end + 5], struct.unpack(">H", query[end + 1 : end + 3])[0]
        known = ".".join(labels) == name
        records = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + bytes([127, 0, 0, 1]) if known and asked == 1 else b""
        flags = 0x8180 if known else 0x8183
        print(".".join(labels), asked, file=sys.stderr, flush=True)
        server.sendto(query[:2] + struct.pack(">HHHHH", flags, 1, bool(records), 0, 0) + question + records, client)


def main():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    kind, *rest = sys.argv[1:] or [""]
    if kind == "names" and rest:
        return names(rest[0], int(rest[1]) if len(rest) > 1 else 0)
    if kind not in ("files", "secure") or len(rest) != (1 if kind == "files" else 2):
        sys.exit("usage: server.py files DIR | secure DIR PEM | names NAME [PORT]")
    handler = functools.partial(Files, directory=os.path.abspath(rest[0]))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if kind == "secure":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(rest[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()


main()
