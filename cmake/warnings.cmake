# Warnings are private to our targets and fatal at top level.
add_library(xdr_warnings INTERFACE)
target_compile_options(xdr_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow>)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(xdr_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
