#!/usr/bin/env python3
"""Fetches the pictures of records on all machines of an Apache Spark cluster.

    spark-submit images.py INPUT OUTPUT STORE [OPTION]...
    cat OUTPUT/part-* | store-plist --sealed characters.plist

INPUT is a folder, file or pattern of JSON Lines that Spark can read, OUTPUT a folder that it makes, STORE the --dir of
fetch-images: a folder that all machines share, or one of each partition's own, images/{partition}. The options are those of
fetch-images, which must be installed on every machine.

All records of one host go to one partition, so that --per-host and --rate mean what they mean on a single machine. The
output is that of a single fetch-images, byte for byte and in the input's order, with the input's seal at its end. A task
that was lost is done again: the store has each picture whole or not at all, under the name of its content. Pictures that
can't be had are in the records, as ever, and don't fail the job; a line that isn't a record does.
"""

import json
import subprocess
import sys
import threading
import urllib.parse
import zlib

from pyspark.sql import SparkSession

FIELDS = ["imageURL", "imageUrl", "image.url", "image"]
# Statuses of pictures that can't be had: not there, rate limit, not an image, refused.
NO_PICTURE = [69, 75, 76, 77]


def fields(options):
    """The paths of --field. Only names with dots between them are read here."""
    given = [value for option, value in zip(options, options[1:]) if option == "--field"]
    return (given + [option[8:] for option in options if option.startswith("--field=")]) or FIELDS


def host(line, paths):
    """The host and port of a record's picture; None for a record without one."""
    try:
        record = json.loads(line)
        for path in paths:
            value = record
            for name in path.split("."):
                value = value.get(name) if isinstance(value, dict) else None
            if isinstance(value, str) and value:
                return urllib.parse.urlsplit(value).netloc.rpartition("@")[2].lower()
    except (ValueError, AttributeError):
        pass  # fetch-images says what is wrong with it.
    return None


def is_seal(line):
    return b"$seal" in line and list(json.loads(line)) == ["$seal"]


def fetch(partition, numbered, store, options):
    """Runs fetch-images over one partition's lines. It writes one line for each line that it reads."""
    command = ["fetch-images", "--progress=never", "--on-bad-line=stop", *options,
               "--dir", store.replace("{partition}", str(partition))]
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    numbers, messages = [], []

    def feed():
        try:
            for (_, number), line in numbered:
                numbers.append(number)
                tool.stdin.write(line + b"\n")
            tool.stdin.close()
        except BrokenPipeError:
            pass  # Its status says why it has ended.

    threads = [threading.Thread(target=feed), threading.Thread(target=lambda: messages.extend(tool.stderr))]
    for thread in threads:
        thread.start()
    count = 0
    for count, line in enumerate(tool.stdout, 1):
        yield numbers[count - 1], line.rstrip(b"\n").decode()
    for thread in threads:
        thread.join()
    status = tool.wait()
    if status not in [0, *NO_PICTURE] or count != len(numbers):
        raise RuntimeError(f"fetch-images ended with {status}: {b''.join(messages[-5:]).decode(errors='replace')}")


def main() -> int:
    if len(sys.argv) < 4 or any(option.startswith(("--on-error", "--unordered", "--prune")) for option in sys.argv[4:]):
        print("usage: images.py INPUT OUTPUT STORE [OPTION]...; without --on-error, --unordered and --prune: each record "
              "comes out, in the input's order", file=sys.stderr)
        return 64
    source, target, store, *options = sys.argv[1:]
    paths = fields(options)
    spark = SparkSession.builder.appName("fetch-images").getOrCreate()
    try:
        context = spark.sparkContext
        lines = context.textFile(source, use_unicode=False).filter(lambda line: line.strip()).zipWithIndex().cache()
        seals = lines.filter(lambda item: is_seal(item[0])).collect()
        count = max(lines.getNumPartitions(), context.defaultParallelism)

        def place(item):
            line, number = item
            name = host(line, paths)
            return (number if name is None else zlib.crc32(name.encode())) % count, number

        placed = lines.filter(lambda item: not is_seal(item[0])).map(lambda item: (place(item), item[0]))
        sorted_lines = placed.repartitionAndSortWithinPartitions(count, lambda key: key[0])
        fetched = sorted_lines.mapPartitionsWithIndex(
            lambda partition, numbered: fetch(partition, numbered, store, options))
        end = [(number, seal.decode()) for seal, number in seals if number == lines.count() - 1]
        fetched.union(context.parallelize(end, 1)).sortByKey().values().saveAsTextFile(target)
    finally:
        spark.stop()
    return 0


sys.exit(main())
