#!/usr/bin/env python3
"""Fetches the pictures of records on all machines of an Apache Spark cluster, each service's from one process.

    spark-submit images.py INPUT OUTPUT DIR [OPTION]...
    cat OUTPUT/part-* OUTPUT/_seal/part-* | store-plist --sealed FILE

INPUT is a file or pattern (in quotes) of JSON Lines that Spark can read, OUTPUT a folder that it makes, DIR the absolute
path where pictures are kept: on a disk that all machines share, or on each machine's own. The files of the latter can be
copied into one directory afterwards, as they are named by their content. The cache is each machine's own, always.

The options are those of fetch-images, which must be installed on every machine. Leave out those that write another file
(--gallery, --report, --on-bad-line=FILE, --record) or fewer records (--on-error). All pictures of one host and port are in one
partition, so --rate and --per-host hold for the whole cluster; what services redirect to isn't known beforehand.

OUTPUT holds the bytes that one process would have written, in the same order, but CRLF becomes LF, and Spark replaces
what isn't UTF-8. A picture that can't be had is that record's failure; a line that isn't a record fails the job. The
seal is written last, so store-plist --sealed refuses what a failed job has left.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

from pyspark.sql import SparkSession

# Single pictures may fail: service not there, try again later, no picture, refused.
FINE = {0, 69, 75, 76, 77}


def through(command, lines, log=None):
    """Yields what a command makes of lines. Its status and a failure to read them fail the task."""

    def feed(stdin):
        with contextlib.suppress(BrokenPipeError), stdin:
            for line in lines:
                stdin.write(line + b"\n")

    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        environment = {**os.environ, "CASTLINE_PROGRESS": "never"}
        tool = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment)
        try:
            fed = threads.submit(feed, tool.stdin)
            for line in tool.stdout:
                yield line.rstrip(b"\n")
            fed.result()
            status = tool.wait()
        finally:
            tool.kill()
            tool.wait()
    if status not in FINE:
        said = os.pread(log.fileno(), 10_000, 0).decode(errors="replace") if log else "see stderr"
        raise RuntimeError(f"fetch-images ended with status {status}: {said}")


def service(added):
    """Where a record's picture is, as host:port. None if it has no URL, or none that can be requested."""
    with contextlib.suppress(KeyError, ValueError):
        url = urllib.parse.urlsplit(added["url"])
        return f"{url.hostname}:{url.port or {'http': 80, 'https': 443}[url.scheme]}".encode()


def shared_out(split, lines, options):
    """Asks fetch-images, offline, where each record's picture is, so that there is one rule for which URL counts."""
    mark = b'"imageFile":{'
    with tempfile.TemporaryDirectory() as scratch, open(f"{scratch}/log", "w+b") as log:
        own = ["--offline", f"--cache={scratch}/cache", f"--dir={scratch}/images"]
        for number, line in enumerate(through(["fetch-images", *options, *own], lines, log)):
            if line.startswith(b'{"$seal"'):
                seal = json.loads(line)["$seal"]
                if seal.pop("complete") is not True or seal.keys() != {"records"}:
                    raise RuntimeError(f"the input isn't complete: {line.decode()}")
                continue
            host = service(json.loads(b"{" + line[line.rindex(mark) :])["imageFile"])
            yield zlib.crc32(host) if host else number, ((split, number), line)


def fetched(command, records):
    """Fetches the pictures of one partition, and keeps the place of each record."""
    places = collections.deque()

    def lines():
        for place, line in records:
            places.append(place)
            yield line

    for line in through(command, lines()):
        yield places.popleft(), line
    assert not places, f"fetch-images wrote {len(places)} records too few"


def main() -> int:
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--field", "--base-url"):
        reader.add_argument(name, action="append", default=[])
    if len(sys.argv) < 4 or not os.path.isabs(sys.argv[3]):
        print("usage: images.py INPUT OUTPUT DIR [OPTION]..., where DIR is an absolute path", file=sys.stderr)
        return 64
    source, target, directory, *options = sys.argv[1:]
    given = vars(reader.parse_known_args(options)[0])
    where = [f"--{name.replace('_', '-')}={value}" for name, values in given.items() for value in values]
    fetch = ["fetch-images", f"--dir={directory}", *options]
    # A second attempt beside the first, on another machine, would double the requests to a service.
    spark = SparkSession.builder.appName("fetch-images").config("spark.speculation", "false").getOrCreate()
    try:
        context = spark.sparkContext
        lines = context.textFile(source, use_unicode=False)
        count = lines.getNumPartitions()
        records = lines.mapPartitionsWithIndex(lambda split, lines: shared_out(split, lines, where))
        services = records.partitionBy(max(count, context.defaultParallelism), lambda key: key).values()
        results = services.mapPartitions(lambda records: fetched(fetch, records))
        ordered = results.repartitionAndSortWithinPartitions(count, lambda key: key[0]).values()
        ordered.saveAsTextFile(target)
        seal = {"$seal": {"records": context.textFile(target).count(), "complete": True}}
        context.parallelize([json.dumps(seal, separators=(",", ":"))], 1).saveAsTextFile(f"{target}/_seal")
    finally:
        spark.stop()
    return 0


sys.exit(main())
