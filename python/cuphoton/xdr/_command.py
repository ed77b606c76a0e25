"""The command `cuphoton` of an installed wheel: the extension module holds the program."""
import signal
import sys


def main():
    from cuphoton.xdr import _native

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the program waits in C++: Ctrl-C ends it as it ends any program
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(_native.load().command_main(["cuphoton", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
