"""A module that looks like CuPy to the adapters, over NumPy: they run without a GPU, and the host engine decodes.

The fixture `cupy` puts it in CuPy's place. New arrays hold 0xA5 bytes, and remember the stream that was current.
"""
import sys
import types

import numpy
import pytest


class ndarray(numpy.ndarray):
    born_on = None

    @property
    def device(self):
        return types.SimpleNamespace(id=getattr(self, "device_id", 0))

    def get(self):
        return numpy.array(self.view(numpy.ndarray))

    def set(self, values):
        self[...] = values


class Stream:
    current = []

    def __init__(self, ptr=0x51):
        self.ptr = ptr

    def __enter__(self):
        Stream.current.append(self)
        return self

    def __exit__(self, *exception):
        Stream.current.pop()

    def synchronize(self):
        pass


Stream.null = Stream(0)
ExternalStream = Stream


def empty(shape, dtype=float):
    array = numpy.empty(shape, dtype).view(ndarray)
    array.view(numpy.ndarray).reshape(-1).view("u1")[...] = 0xA5
    array.born_on = Stream.current[-1].ptr if Stream.current else None
    return array


def make(name="cupy"):
    module = types.ModuleType(name)
    module.ndarray, module.empty = ndarray, empty
    module.asarray = lambda values: numpy.array(values).view(ndarray)
    module.asnumpy = lambda values: values.get()
    module.cuda = types.SimpleNamespace(
        Stream=Stream, ExternalStream=ExternalStream, Device=lambda: types.SimpleNamespace(id=0),
        get_current_stream=lambda: Stream.current[-1] if Stream.current else Stream.null,
        runtime=types.SimpleNamespace(getDeviceCount=lambda: 1))
    return module


@pytest.fixture
def cupy(monkeypatch):
    from cuphoton.xdr import _gpu

    module = make()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setitem(sys.modules, "cupyx", None)
    monkeypatch.setattr(_gpu, "_device_problem", lambda: None)
    _gpu.problem.cache_clear()
    yield module
    _gpu.problem.cache_clear()
    Stream.current.clear()
