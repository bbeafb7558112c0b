"""The local server with the project's own catalogue, and the built tools."""

import contextlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.abspath(os.environ.get("CASTLINE_BIN") or os.path.join(HERE, ".build", "release"))


@contextlib.contextmanager
def local_server():
    """Its address; it ends with the block, and with this process. Ends the process with 69 where it isn't built."""
    program = os.path.join(BIN, "local-server")
    if not os.access(program, os.X_OK):
        print(f"{os.path.basename(sys.argv[0])}: there is no {program}; run swift build -c release", file=sys.stderr)
        sys.exit(69)
    catalogue = os.path.join(HERE, "Tests", "LocalServer", "Catalogue")
    server = subprocess.Popen(
        [program, "--catalogue", os.path.join(catalogue, "characters.json"),
         "--pictures", os.path.join(catalogue, "pictures"), "--until-stdin-closes"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield server.stdout.readline().decode().strip()
    finally:
        server.stdin.close()
        server.wait(timeout=20)
