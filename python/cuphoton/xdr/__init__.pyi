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
from cuphoton.xdr.errors import CorruptImageError as CorruptImageError
from cuphoton.xdr.errors import FitsFileError as FitsFileError
from cuphoton.xdr.errors import UnsupportedError as UnsupportedError
from cuphoton.xdr.errors import XdrError as XdrError
