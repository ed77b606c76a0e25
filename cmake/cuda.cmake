# The CUDA compiler, where it is wanted and there is one. Sets XDR_HAVE_CUDA, or leaves the reason in XDR_OFF_CUDA.
# AUTO without a compiler goes on without the device engine; ON without one stops. ON also compiles a three-line kernel
# of our own, so that the compiler is proven while the project has no .cu file.
file(GLOB_RECURSE XDR_CUDA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cu)
list(LENGTH XDR_CUDA_SOURCES XDR_CUDA_COUNT)
set(XDR_HAVE_CUDA FALSE)
set(XDR_OFF_CUDA "")

if(XDR_CUDA STREQUAL "OFF")
  set(XDR_OFF_CUDA "switched off by XDR_CUDA=OFF")
elseif(XDR_CUDA STREQUAL "AUTO" AND XDR_CUDA_COUNT EQUAL 0)
  set(XDR_OFF_CUDA "the project has no .cu file yet")
else()
  # Order: the caller's choice, PATH, the toolkit's usual place, the PyPI wheels that `make setup` installs.
  file(GLOB wheels ${PROJECT_SOURCE_DIR}/.venv/cuda/lib/python3*/site-packages/nvidia/cu13/bin)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(XDR_NVCC nvcc PATHS /usr/local/cuda/bin ${wheels})
    if(XDR_NVCC)
      set(CMAKE_CUDA_COMPILER ${XDR_NVCC})
    endif()
  endif()
  # The host compiler is the one of our C++ files: nvcc would take whatever g++ is first on PATH.
  if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90-real)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(XDR_HAVE_CUDA TRUE)
  elseif(XDR_CUDA STREQUAL "ON")
    message(FATAL_ERROR "XDR_CUDA=ON, but there is no working nvcc: put it on PATH, or run `make setup`")
  else()
    set(XDR_OFF_CUDA "no working nvcc (on PATH, in /usr/local/cuda/bin, or by `make setup`)")
  endif()
endif()

if(XDR_HAVE_CUDA)
  # CMake 3.25 does not know nvcc's C++20 and would stop; newer versions define this themselves.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()

  # Same bits as the host (no fused multiply-add), and no warning passes.
  function(xdr_cuda_objects name)
    add_library(${name} OBJECT ${ARGN})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_compile_options(${name} PRIVATE -fmad=false -Werror=all-warnings)
    set_target_properties(${name} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF
      CUDA_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  endfunction()

  # The runtime, linked statically, so that a host without a driver loads the library too. Not by FindCUDAToolkit: it wants the
  # shared one, which NVIDIA's wheels do not have.
  get_filename_component(toolkit ${CMAKE_CUDA_COMPILER} REALPATH)
  get_filename_component(toolkit ${toolkit} DIRECTORY)
  find_path(XDR_CUDART_INCLUDE cuda_runtime_api.h
    HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} ${toolkit}/../include NO_CMAKE_FIND_ROOT_PATH)
  find_library(XDR_CUDART_STATIC libcudart_static.a
    HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} ${toolkit}/../lib64 ${toolkit}/../lib NO_CMAKE_FIND_ROOT_PATH)
  if(NOT XDR_CUDART_INCLUDE OR NOT XDR_CUDART_STATIC)
    message(FATAL_ERROR "nvcc is here, but cuda_runtime_api.h or libcudart_static.a is not: install the whole toolkit")
  endif()
  add_library(xdr::cudart INTERFACE IMPORTED)
  set_target_properties(xdr::cudart PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${XDR_CUDART_INCLUDE}
    INTERFACE_LINK_LIBRARIES "${XDR_CUDART_STATIC};Threads::Threads;${CMAKE_DL_LIBS};rt")

  # What `make cuda` builds; dev/check_cuda.py then looks whether every .cu file was compiled.
  add_custom_target(xdr_cuda)
  if(XDR_CUDA STREQUAL "ON")
    xdr_cuda_objects(xdr_cuda_probe ${PROJECT_SOURCE_DIR}/cmake/cuda_probe/probe.cu)
    add_dependencies(xdr_cuda xdr_cuda_probe)
  endif()
  if(XDR_CUDA_COUNT GREATER 0)
    xdr_cuda_objects(xdr_cuda_sources ${XDR_CUDA_SOURCES})
    add_dependencies(xdr_cuda xdr_cuda_sources)
  endif()
endif()
