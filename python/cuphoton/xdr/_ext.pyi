# Made by dev/make_stub.py from the module itself.
from collections.abc import Sequence


class Reason:
    """Why something better was not used, or why an image cannot be read."""

    @property
    def code(self) -> str: ...

    @property
    def hdu(self) -> object: ...

    @property
    def detail(self) -> str: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple: ...

class CodecCapability:
    """A codec; `host` and `device` are None, or why not."""

    @property
    def name(self) -> str: ...

    @property
    def host(self) -> Reason | None: ...

    @property
    def device(self) -> Reason | None: ...

class DeviceInfo:
    """A GPU that this build can use."""

    @property
    def index(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def compute_capability(self) -> int:
        """90 for 9.0"""

    @property
    def multiprocessors(self) -> int: ...

    @property
    def memory_bytes(self) -> int: ...

class Capabilities:
    """What can run here; every no carries its reason."""

    @property
    def version(self) -> str: ...

    @property
    def host_threads(self) -> int:
        """cores this process may use"""

    @property
    def device(self) -> Reason | None:
        """None, or why no GPU is used"""

    @property
    def codecs(self) -> list[CodecCapability]: ...

    @property
    def devices(self) -> list[DeviceInfo]: ...

    @property
    def driver_version(self) -> int:
        """13000 for CUDA 13.0; 0 without a driver"""

    @property
    def runtime_version(self) -> int:
        """of the CUDA runtime in this build; 0 without"""

def capabilities() -> Capabilities:
    """Probed once for each process."""

class Source:
    """Where bytes come from."""

    @property
    def name(self) -> object: ...

    @property
    def size_bytes(self) -> int: ...

    @property
    def backend(self) -> str: ...

def open_source(source: object | None) -> Source:
    """
    A path, bytes-like, or an object with read and seek, which must not be used meanwhile.
    """

class Array:
    """Pixels in host or device memory, complete and native-endian."""

    @property
    def shape(self) -> tuple: ...

    @property
    def ndim(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    @property
    def dtype_name(self) -> str: ...

    @property
    def dtype(self) -> object: ...

    @property
    def device(self) -> str: ...

    @property
    def scale(self) -> float: ...

    @property
    def zero(self) -> float: ...

    @property
    def null_value(self) -> int | None: ...

    @property
    def receipt(self) -> object: ...

    @property
    def __array_interface__(self) -> dict: ...

    @property
    def __cuda_array_interface__(self) -> dict: ...

    def __dlpack__(self, *, stream: object | None = None, max_version: object | None = None, dl_device: object | None = None, copy: object | None = None) -> object: ...

    def __dlpack_device__(self) -> tuple: ...

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __array__(self, dtype: object | None = None, copy: object | None = None) -> object: ...

    def numpy(self) -> object:
        """
        As numpy.ndarray: a host array shares its memory, a device array is copied to the host (after what the null stream of its device holds).
        """

    def cupy(self) -> object:
        """
        As cupy.ndarray: a device array shares its memory, a host array is copied to CuPy's current device.
        """

    def torch(self) -> object:
        """As torch.Tensor on the array's device, sharing its memory."""

    def jax(self) -> object:
        """
        As jax.Array on the array's device, sharing its memory where JAX can; it must not be written to by others then.
        """

class HduInfo:
    """One line of a listing."""

    @property
    def index(self) -> int: ...

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def header_offset_bytes(self) -> int: ...

    @property
    def data_offset_bytes(self) -> int: ...

    @property
    def data_bytes(self) -> int: ...

    @property
    def shape(self) -> tuple: ...

    @property
    def stored_dtype(self) -> str: ...

    @property
    def dtype(self) -> str: ...

    @property
    def scale(self) -> float: ...

    @property
    def zero(self) -> float: ...

    @property
    def null_value(self) -> int | None: ...

    @property
    def codec(self) -> str: ...

    @property
    def tile_shape(self) -> tuple: ...

    @property
    def quantization(self) -> str: ...

    @property
    def reasons(self) -> list[Reason]: ...

    @property
    def notes(self) -> list[str]: ...

    @property
    def problem(self) -> object: ...

    @property
    def cards(self) -> list: ...

class FileInfo:
    """The HDUs of a file."""

    @property
    def file_bytes(self) -> int: ...

    @property
    def hdus(self) -> list[HduInfo]: ...

    @property
    def notes(self) -> list[str]: ...

    @property
    def problem(self) -> object: ...

def inspect(source: Source, max_header_bytes: int = 0) -> FileInfo: ...

def raise_problem(info: FileInfo, index: int) -> None:
    """Raises what is wrong with an HDU's header, or with the walk before it."""

def parse_header(cards: list) -> list:
    """
    (keyword, kind, value, comment, first card, number of cards) for each value, in order.
    """

def image_header(cards: list) -> list:
    """Cards of the image inside a compressed HDU."""

class Request:
    """Checked words of one read."""

    def __init__(self, *, index: int | None = None, name: str | None = None, version: int | None = None, values: str = 'scaled', engine: str = 'auto', device: str | None = None, postprocess: str = 'auto', gzip_crc32: bool = True, gzip_decoder: str = 'auto', decompression_backend: str = 'auto', nvcomp_folder: str = '', threads: int = 0, max_bytes: int = 0, stream: int = 0) -> None: ...

    def set_section(self, arg0: object, arg1: tuple, /) -> None: ...

def section_ranges(section: object, shape: tuple) -> list:
    """(start, step, pixels) along each axis; ValueError as for a read."""

def read(source: Source, request: Request) -> Array: ...

class Plan:
    """What a read would do; made from headers and the tile table."""

    @property
    def reasons(self) -> list[Reason]:
        """why no engine can read the image"""

def plan(source: Source, request: Request) -> Plan: ...

def read_to(source: Source, request: Request, out: object, plan: Plan | None = None) -> str: ...

def plan_json(arg0: Source, arg1: Request, /) -> str: ...

def device_pool(device: int = 0) -> dict: ...

def trim_device_pool(device: int = 0) -> None: ...

def command_main(words: Sequence[str], starter: Sequence[str]) -> int: ...

def doctor_text() -> str:
    """What `cuphoton xdr doctor` prints."""
