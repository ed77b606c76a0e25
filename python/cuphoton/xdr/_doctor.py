"""What can run here, and what is wrong with the installation, as text for people."""
import importlib.metadata
import importlib.util
import os
import pathlib
import sys

# NVIDIA's distribution of the same name holds cuphoton/__init__.py: a regular package hides every namespace package.
_OURS = "cuphoton-xdr"


def doctor():
    """What can run here, each "no" with its reason and its cure: native part, Python, package, foreign packages, CuPy.

    Text for people. Asks the GPU driver; raises nothing where the extension module is missing, but says so.
    """
    from cuphoton.xdr import _native

    try:
        native = _native.load().doctor_text()
    except RuntimeError as absent:
        native = f"native part: no\n  {absent}\n"
    return native + "\n" + python_text()


def python_text():
    """The part of `doctor` that only Python can know."""
    home = pathlib.Path(__file__).resolve().parent
    lines = [f"Python {sys.version.split()[0]}: {sys.executable}", f"package: {home}", _cupy()]
    for file in foreign_packages():
        lines += [f"foreign package: {file}",
                  "  it hides cuphoton.xdr from every program that has it on its path, whichever comes first",
                  "  cure: uninstall what it belongs to, or take its folder from the path; the two cannot share an environment"]
    for name in foreign_distributions():
        lines += [f"foreign distribution: {name}",
                  "  it brings a `cuphoton` package or command of its own; the two cannot share an environment",
                  f"  cure: pip uninstall {name}, then pip install --force-reinstall {_OURS}"]
    return "\n".join(lines) + "\n"


def foreign_packages():
    """Every cuphoton/__init__.py on the path, and one that is being imported from elsewhere."""
    found = []
    for folder in sys.path:
        file = os.path.join(folder or os.getcwd(), "cuphoton", "__init__.py")
        if os.path.isfile(file) and os.path.realpath(file) not in map(os.path.realpath, found):
            found.append(file)
    return found


def foreign_distributions():
    """Names of other installed distributions that hold files of `cuphoton` or its command."""
    names = set()
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name is None or name.lower().replace("_", "-") == _OURS:
            continue
        owns = any(entry.group == "console_scripts" and entry.name == "cuphoton" for entry in distribution.entry_points)
        if owns or name.lower() == "cuphoton":
            names.add(name)
    return sorted(names)


def _cupy():
    # Found, not imported: importing it takes seconds and may touch CUDA.
    if importlib.util.find_spec("cupy") is None:
        return "CuPy: no\n  batch_to_device and the GPU readers need it\n  cure: pip install cupy-cuda13x"
    for name in ("cupy-cuda13x", "cupy"):
        try:
            return f"CuPy: found, {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return "CuPy: found"
