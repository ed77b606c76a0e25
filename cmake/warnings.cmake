# Warnings are private to our targets and fatal at top level.
add_library(xdr_warnings INTERFACE)
target_compile_options(xdr_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow>)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(xdr_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
# g++ 12 sees an overlapping copy in `"text" + std::string{}` that cannot be (GCC bug 105651, gone in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(xdr_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
