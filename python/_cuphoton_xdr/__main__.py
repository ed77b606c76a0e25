"""python -m _cuphoton_xdr: the command, started again by itself for CFITSIO's process."""
from _cuphoton_xdr import main

main()
