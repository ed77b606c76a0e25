# Made by dev/make_stub.py from the table in __init__.py.
__all__: list[str]
__version__: str
from cuphoton.xdr._doctor import doctor as doctor
from cuphoton.xdr._ext import Array as Array
from cuphoton.xdr._ext import Capabilities as Capabilities
from cuphoton.xdr._ext import Reason as Reason
from cuphoton.xdr._ext import capabilities as capabilities
from cuphoton.xdr._file import File as File
from cuphoton.xdr._file import Hdu as Hdu
from cuphoton.xdr._file import open as open
from cuphoton.xdr._file import read as read
from cuphoton.xdr._header import Header as Header
from cuphoton.xdr.convenience import GpuCompImageReader as GpuCompImageReader
from cuphoton.xdr.convenience import GpuImageReader as GpuImageReader
from cuphoton.xdr.convenience import batch_to_device as batch_to_device
from cuphoton.xdr.convenience import batch_to_device_stream as batch_to_device_stream
from cuphoton.xdr.convenience import gpu_available as gpu_available
from cuphoton.xdr.convenience import is_gds_active as is_gds_active
from cuphoton.xdr.convenience import open_gpu as open_gpu
from cuphoton.xdr.convenience import warn_if_gds_fallback as warn_if_gds_fallback
from cuphoton.xdr.errors import CorruptImageError as CorruptImageError
from cuphoton.xdr.errors import FitsFileError as FitsFileError
from cuphoton.xdr.errors import UnsupportedError as UnsupportedError
from cuphoton.xdr.errors import XdrError as XdrError
from cuphoton.xdr import mock_storage as mock_storage
from cuphoton.xdr.mock_storage import storage_cache as storage_cache
