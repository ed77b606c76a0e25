"""What tests of GPU functions share. Without CuPy and a GPU each is skipped with its reason; XDR_REQUIRE_DEVICE=1 makes that
a failure."""
import os

import pytest


@pytest.fixture
def cupy():
    """The real module; all work is waited for afterwards, so that each test begins alike."""
    from cuphoton.xdr import _gpu

    reason = _gpu.problem()
    if reason is not None:
        (pytest.fail if os.environ.get("XDR_REQUIRE_DEVICE") == "1" else pytest.skip)(f"no CuPy on a GPU: {reason}")
    import cupy as module

    yield module
    module.cuda.Device().synchronize()


@pytest.fixture
def torch(cupy):
    """torch with CUDA, where it is installed."""
    module = pytest.importorskip("torch", reason="torch is not installed")
    if not module.cuda.is_available():
        pytest.skip("torch was built without CUDA")
    return module


@pytest.fixture
def delay(cupy):
    """delay(stream): keeps a CuPy stream busy for a quarter of a second or more, without the host."""
    kernel = cupy.RawKernel("""extern "C" __global__ void spin(long long cycles) {
        const long long begin = clock64();
        while (clock64() - begin < cycles) {}
    }""", "spin")
    kernel.compile()

    def run(stream):
        with stream:
            kernel((1,), (1,), (500_000_000,))
        assert not stream.done
    return run
