# Checks of the project itself as ctests: layers, documents, exported symbols, the examples against an installed copy.
# Label `host` puts them into the ordinary run; `static` keeps them out of the sanitizer build, where they would say the
# same again.
find_program(XDR_CHECKER python3 REQUIRED)

function(xdr_check name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "host;static" TIMEOUT 600)
endfunction()

foreach(check check_layers check_layers_test check_docs check_docs_test)
  xdr_check(${check} ${XDR_CHECKER} dev/${check}.py)
endforeach()
xdr_check(exports dev/check_exports.sh $<TARGET_FILE:cuphoton_xdr>)
if(XDR_CLI AND TARGET xdr::cfitsio)  # the command writes the file that the examples read
  xdr_check(examples examples/run.sh ${PROJECT_BINARY_DIR})
endif()
