#!/usr/bin/env python3
"""Searches records on all machines of an Apache Spark cluster: each partition goes through a filter-search of its own.

    spark-submit search.py INPUT OUTPUT QUERY [OPTION]...

INPUT is a folder, file or pattern of JSON Lines that Spark can read, OUTPUT a folder that it makes. filter-search must be
installed on every machine; it is one file that needs nothing else. A line that is found not to be a record fails the
job (status 65), as the result would be a part of the truth; with --strict every line is checked.
"""

import os
import shlex
import sys

from pyspark.sql import SparkSession


def main() -> int:
    if len(sys.argv) < 4:
        print("usage: search.py INPUT OUTPUT QUERY [OPTION]...", file=sys.stderr)
        return 64
    source, target, query, *options = sys.argv[1:]
    command = shlex.join(["filter-search", *options, "-e", query])
    spark = SparkSession.builder.appName("filter-search").getOrCreate()
    try:
        records = spark.sparkContext.textFile(source)
        # pipe() splits its command itself and would pass quotes on, so a shell of its own reads them.
        environment = {**os.environ, "CASTLINE_PROGRESS": "never"}
        found = records.pipe(shlex.join(["sh", "-c", command]), env=environment, checkCode=True)
        found.saveAsTextFile(target)
    finally:
        spark.stop()
    return 0


sys.exit(main())
