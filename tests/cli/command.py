"""Runs the command for the tests in this folder. The binary comes from XDR_COMMAND, which ctest sets."""

import json
import os
import subprocess
import sys


def command_path():
    path = os.environ.get("XDR_COMMAND")
    if not path:
        sys.exit("XDR_COMMAND does not name the binary `cuphoton`; run this test through ctest")
    return path


def run(*words, **options):
    """`cuphoton xdr WORDS`; the result has .returncode, .stdout and .stderr as text."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    line = [command_path(), "xdr", *map(str, words)]
    return subprocess.run(line, timeout=300, text=True, errors="replace", **options)


def run_json(*words):
    """The same with --json, parsed, together with the exit code."""
    result = run(*words, "--json")
    try:
        return json.loads(result.stdout), result.returncode
    except ValueError:
        raise AssertionError(f"{words}: no JSON on stdout; exit {result.returncode}: {result.stderr}") from None
