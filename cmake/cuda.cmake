# The CUDA compiler, where there is one. No .cu file exists yet: AUTO leaves the language off and says so.
file(GLOB_RECURSE XDR_CUDA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cu)
set(XDR_OFF_CUDA "")
if(XDR_CUDA STREQUAL "OFF")
  set(XDR_OFF_CUDA "switched off by XDR_CUDA=OFF")
elseif(NOT XDR_CUDA_SOURCES)
  set(XDR_OFF_CUDA "the project has no .cu file yet")
endif()
