#!/usr/bin/env python3
"""Serves pictures of distinct content on four services of this machine, for the test of images.py.

    pictures.py FOLDER

Writes the services' addresses to FOLDER/services, and to FOLDER/most, a line for each, how many requests it had at once
at most and how many in all.
"""

import http.server
import os
import sys
import threading
import time


class Pictures(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        service = self.server
        with service.lock:
            service.requests += 1
            service.now += 1
            service.most = max(service.most, service.now)
        time.sleep(0.02)
        number = self.path.strip("/")
        good = number.isdigit()
        content = f'<svg xmlns="http://www.w3.org/2000/svg" width="{number}" height="9"/>' if good else "<p>no picture"
        with service.lock:
            service.now -= 1
        self.send_response(200 if good else 404)
        self.send_header("Content-Type", "image/svg+xml" if good else "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, *_):
        pass


class Service(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address):
        super().__init__(address, Pictures)
        self.lock = threading.Lock()
        self.now = self.most = self.requests = 0

    def handle_error(self, *_):
        """A killed process ends its connections."""


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


folder = sys.argv[1]
services = [Service((f"127.0.0.{number}", 0)) for number in range(1, 5)]
for one in services:
    threading.Thread(target=one.serve_forever, daemon=True).start()
write(f"{folder}/services", "".join("http://%s:%d\n" % one.server_address for one in services))
while True:
    write(f"{folder}/most", "".join(f"{one.most} {one.requests}\n" for one in services))
    time.sleep(0.1)
