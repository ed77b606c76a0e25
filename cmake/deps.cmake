# Packages. A missing required one stops here; a missing optional one leaves its reason in XDR_OFF_<name>.
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)

# Target `name` for a library with a header and no CMake package of its own in Debian.
function(xdr_find_library name header library)
  find_path(${name}_INCLUDE_DIR ${header})
  if(XDR_STATIC AND NOT library STREQUAL "bz2")  # Debian's libbz2.a is not position-independent: that one goes into the wheel
    set(library lib${library}.a)
  endif()
  find_library(${name}_LIBRARY ${library})
  if(${name}_INCLUDE_DIR AND ${name}_LIBRARY)
    add_library(xdr::${name} UNKNOWN IMPORTED)
    set_target_properties(xdr::${name} PROPERTIES IMPORTED_LOCATION "${${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
  endif()
endfunction()

xdr_find_library(libdeflate libdeflate.h deflate)
if(NOT TARGET xdr::libdeflate)
  message(FATAL_ERROR "libdeflate is missing (Debian: libdeflate-dev)")
endif()
find_package(nlohmann_json REQUIRED)  # Debian: nlohmann-json3-dev

if(XDR_CLI)
  find_package(CLI11 REQUIRED)  # Debian: libcli11-dev
endif()
set(XDR_OFF_CFITSIO "")
if(XDR_CFITSIO_ROOT)
  # Someone's own CFITSIO: this one or none. A folder that lacks it must not end in the system's.
  unset(cfitsio_INCLUDE_DIR CACHE)
  unset(cfitsio_LIBRARY CACHE)
  find_path(cfitsio_INCLUDE_DIR fitsio.h PATHS ${XDR_CFITSIO_ROOT}/include NO_DEFAULT_PATH)
  find_library(cfitsio_LIBRARY cfitsio PATHS ${XDR_CFITSIO_ROOT}/lib ${XDR_CFITSIO_ROOT}/lib64 NO_DEFAULT_PATH)
  if(NOT cfitsio_INCLUDE_DIR OR NOT cfitsio_LIBRARY)
    message(FATAL_ERROR "XDR_CFITSIO_ROOT=${XDR_CFITSIO_ROOT}: there is no include/fitsio.h, or no library in lib or lib64")
  endif()
  set(XDR_CFITSIO ON)
endif()
if(XDR_CFITSIO STREQUAL "OFF")
  set(XDR_OFF_CFITSIO "switched off by XDR_CFITSIO=OFF")
else()
  xdr_find_library(cfitsio fitsio.h cfitsio)
  if(NOT TARGET xdr::cfitsio)
    if(XDR_CFITSIO STREQUAL "ON")
      message(FATAL_ERROR "XDR_CFITSIO=ON, but CFITSIO is missing (Debian: libcfitsio-dev)")
    endif()
    set(XDR_OFF_CFITSIO "fitsio.h or libcfitsio not found (Debian: libcfitsio-dev)")
  endif()
endif()
if(XDR_TESTS)
  find_package(GTest REQUIRED)
endif()
if(XDR_BENCH)
  find_package(benchmark QUIET)  # micro_codecs only; Debian: libbenchmark-dev
endif()
