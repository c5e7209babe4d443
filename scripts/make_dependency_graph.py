#!/usr/bin/env python3
"""Makes a directed graph of package dependencies from Debian package lists.

    make_dependency_graph.py [--output FILE] [PACKAGES ...]

PACKAGES are Packages files as Debian's archive publishes them, plain or compressed with gzip, xz
or bzip2. Without any, the local apt list of bookworm main amd64 is read (run `apt-get update`
first; apt keeps its lists compressed, and apt-helper unpacks them).

Vertices are the packages, numbered from 0 in the order of their names. There is an edge from a
package to every package that it needs or recommends (Depends, Pre-Depends, Recommends):
  * of alternatives (a | b) the first that resolves;
  * a name that is no package but is provided by some resolves to the first provider by name;
  * what does not resolve, versions, architectures, self-loops and repetitions are dropped.
The same lists give the same bytes. docs/formats.md describes the output.
"""

import argparse
import bz2
import glob
import gzip
import lzma
import re
import subprocess
import sys

APT_LIST = "/var/lib/apt/lists/*_debian_dists_bookworm_main_binary-amd64_Packages*"
APT_HELPER = "/usr/lib/apt/apt-helper"
OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
EDGE_FIELDS = ("Depends", "Pre-Depends", "Recommends")
FIELDS = EDGE_FIELDS + ("Package", "Provides")
NAME = re.compile(r"\s*([a-z0-9][a-z0-9+.-]*)")


def lines_of(path):
    if path.endswith(".lz4"):
        text = subprocess.run([APT_HELPER, "cat-file", path], check=True, stdout=subprocess.PIPE)
        return text.stdout.decode("utf-8").splitlines()
    opener = next((open_ for end, open_ in OPENERS.items() if path.endswith(end)), open)
    with opener(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def stanzas(lines):
    """Yields each package's fields as a dictionary; only those that matter."""
    stanza = {}
    for line in lines:
        if not line:
            if stanza:
                yield stanza
            stanza = {}
            continue
        field, colon, value = line.partition(":")
        if colon and field in FIELDS:
            stanza[field] = value
    if stanza:
        yield stanza


def names_in(relations, separator):
    """The package names of relations like "a (>= 1), b:any"."""
    matches = map(NAME.match, relations.split(separator))
    return [match.group(1) for match in matches if match]


def read_packages(paths):
    packages = {}
    for path in paths:
        for stanza in stanzas(lines_of(path)):
            # The archive holds a few packages in several versions; the last listed counts.
            packages[stanza["Package"].strip()] = stanza
    return packages


def providers_of(packages):
    providers = {}
    for package in sorted(packages):
        for provided in names_in(packages[package].get("Provides", ""), ","):
            providers.setdefault(provided, package)
    return providers


def dependency_graph(packages):
    """The targets of each vertex, ascending."""
    number = {package: vertex for vertex, package in enumerate(sorted(packages))}
    providers = providers_of(packages)

    def resolve(relation):
        for name in names_in(relation, "|"):
            if name not in number:
                name = providers.get(name)
            if name is not None:
                return number[name]
        return None

    graph = []
    for package, vertex in number.items():
        relations = (r for f in EDGE_FIELDS for r in packages[package].get(f, "").split(","))
        graph.append(sorted({resolve(relation) for relation in relations} - {None, vertex}))
    return graph


def write_graph(graph, output):
    output.write(f"shunt-graph 1 {len(graph)} {sum(map(len, graph))}\n")
    for targets in graph:
        gaps = (target - before - 1 for before, target in zip([-1] + targets, targets))
        output.write(" ".join(map(str, gaps)) + "\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", metavar="PACKAGES", nargs="*")
    parser.add_argument("--output", help="file to write (standard output)")
    arguments = parser.parse_args()

    paths = arguments.packages or sorted(glob.glob(APT_LIST))
    if not paths:
        parser.error(f"no package list is given, and none is found at {APT_LIST}")
    graph = dependency_graph(read_packages(paths))
    if arguments.output:
        with open(arguments.output, "w", encoding="ascii", newline="\n") as output:
            write_graph(graph, output)
    else:
        write_graph(graph, sys.stdout)


if __name__ == "__main__":
    main()
