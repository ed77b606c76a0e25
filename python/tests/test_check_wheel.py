"""dev/check_wheel.py sees what a release wheel must not have."""
import base64
import hashlib
import importlib.util
import zipfile

import pytest
from conftest import REPOSITORY

_spec = importlib.util.spec_from_file_location("check_wheel", REPOSITORY / "dev/check_wheel.py")
check_wheel = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_wheel)

SYMBOLS = """
0000000000000000      DF *UND*  0000000000000000 (GLIBC_2.14) memcpy
0000000000000000      DF *UND*  0000000000000000 (GLIBC_{version}) something
0000000000001200 g    DF .text  0000000000000010  GLIBC_9.99   ours_is_not_asked_for
"""
HEADERS = "  NEEDED               libc.so.6\n  NEEDED               {library}\n  SONAME               _ext.abi3.so\n"


def found(version="2.34", library="libm.so.6", beside=()):
    return check_wheel.problems_of("_ext.abi3.so", SYMBOLS.format(version=version), HEADERS.format(library=library), beside)


@pytest.mark.rows("BLD-8")
def test_what_every_linux_has_is_no_problem():
    assert found() == [] and found("2.9") == []
    assert check_wheel.asked_of_glibc(SYMBOLS.format(version="2.9")) == (2, 14), "versions are numbers, not text"
    assert found(library="libbz2.so.1.0", beside=["libbz2.so.1.0"]) == []


@pytest.mark.rows("BLD-8", "X-24")
@pytest.mark.parametrize("words, complaint", [
    ({"version": "2.36"}, "asks for GLIBC_2.36, the limit is 2.34"),
    ({"version": "3.0"}, "asks for GLIBC_3.0"),
    ({"library": "libstdc++.so.6"}, "needs libstdc++.so.6, which not every Linux has"),
    ({"library": "libcfitsio.so.10"}, "needs libcfitsio.so.10"),
    ({"library": "libcudart.so.13"}, "needs libcudart.so.13"),
    ({"library": "libdeflate.so.0"}, "needs libdeflate.so.0"),
    ({"library": "libbz2.so.1.0"}, "needs libbz2.so.1.0")])
def test_what_is_asked_of_the_system(words, complaint):
    problems = found(**words)
    assert len(problems) == 1 and complaint in problems[0]


def test_a_module_that_asks_for_nothing_was_not_read():
    assert check_wheel.problems_of("_ext.abi3.so", "", "")


def test_the_tag_is_renamed_inside_too(tmp_path):
    wheel = tmp_path / "cuphoton_xdr-0.1.0-cp311-abi3-linux_x86_64.whl"
    about = b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-abi3-linux_x86_64\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a.py", "")
        archive.writestr("x.dist-info/WHEEL", about)
        archive.writestr("x.dist-info/RECORD", "a.py,sha256=x,0\nx.dist-info/WHEEL,sha256=old,1\nx.dist-info/RECORD,,\n")
    made = check_wheel.retag(wheel, (2, 34))
    assert made.name == "cuphoton_xdr-0.1.0-cp311-abi3-manylinux_2_34_x86_64.whl" and not wheel.exists()
    with zipfile.ZipFile(made) as archive:
        about = archive.read("x.dist-info/WHEEL")
        assert b"Tag: cp311-abi3-manylinux_2_34_x86_64\n" in about
        digest = base64.urlsafe_b64encode(hashlib.sha256(about).digest()).rstrip(b"=").decode()
        assert archive.read("x.dist-info/RECORD").decode() == (
            f"a.py,sha256=x,0\nx.dist-info/WHEEL,sha256={digest},{len(about)}\nx.dist-info/RECORD,,\n")
    assert check_wheel.retag(made, (2, 34)) == made
