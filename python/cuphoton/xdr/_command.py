"""The command `cuphoton` of an installed wheel: the extension module holds the program."""
import os
import signal
import sys


def run(words):
    """One command line, without the command's name. Returns its exit code; ends the process on Ctrl-C, as a program does."""
    from cuphoton.xdr import _doctor, _native

    try:
        native = _native.load()
    except RuntimeError as absent:
        print(f"ERROR: {absent}", file=sys.stderr)
        return 1
    # The program waits in C++, where Python's handler would not run; a broken pipe it reports itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # verify asks CFITSIO in a process of its own. -P: nothing from the working directory joins in.
    code = native.command_main(["cuphoton", *words], [sys.executable, "-P", "-m", "_cuphoton_xdr"])
    if code == 0 and words == ["xdr", "doctor"]:
        return _write("\n" + _doctor.python_text())
    return code


def _write(text):
    """To stdout, past Python's buffer: a reader that has gone is exit code 5, as it is for the program, and no traceback."""
    left = text.encode(errors="replace")
    try:
        while left:
            left = left[os.write(1, left):]
    except OSError as fault:
        print(f"ERROR: stdout: {fault.strerror}", file=sys.stderr)
        return 5
    return 0
