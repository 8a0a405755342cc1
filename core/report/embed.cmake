# Writes OUTPUT, a source file with the parts of the report's page as texts (page_parts.hpp): PAGE as it is, the files of the
# lists STYLE and SCRIPT joined, the script as one function that leaves no global name behind, and LIBRARY.
function(text_of result)
  set(all "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" text)
    string(APPEND all "${text}")
  endforeach()
  if(all MATCHES "\\)page_part\"")
    message(FATAL_ERROR "One of '${ARGN}' has the text that ends a part in ${OUTPUT}: take it out.")
  endif()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

text_of(page "${PAGE}")
text_of(style ${STYLE})
text_of(script ${SCRIPT})
text_of(library "${LIBRARY}")
file(WRITE "${OUTPUT}" "#include \"report/page_parts.hpp\"\n\nnamespace shardbench::page_parts {\n\n")
foreach(part page style library)
  file(APPEND "${OUTPUT}" "const std::string_view ${part} = R\"page_part(${${part}})page_part\";\n")
endforeach()
file(APPEND "${OUTPUT}" "const std::string_view script = R\"page_part((() => {\n\"use strict\";\n${script}})();)page_part\";\n"
  "\n}  // namespace shardbench::page_parts\n")
