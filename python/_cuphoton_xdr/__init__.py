"""Entry of the installed command `cuphoton`. Outside the namespace package, so that it starts, and `doctor` can say what is
wrong, also where a foreign `cuphoton/__init__.py` on the path hides ours from every other program."""
import pathlib
import sys
import types


def own_namespace():
    """Makes `cuphoton` our folder in this process, whatever else is on the path."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "cuphoton"
    package = types.ModuleType("cuphoton")
    package.__path__ = [str(folder)]
    sys.modules["cuphoton"] = package


def main():
    own_namespace()
    from cuphoton.xdr import _command

    sys.exit(_command.run(sys.argv[1:]))

