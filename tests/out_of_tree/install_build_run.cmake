# Installs BUILD into a prefix below WORK, builds the project EXAMPLE against it, and uses its plugins.
#   cmake -DBUILD=... -DEXAMPLE=... -DWORK=... -DGENERATOR=... -DCOMPILER=... [-DLAUNCHER=...] -P install_build_run.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(prefix "${WORK}/prefix")
set(shardbench "${prefix}/bin/shardbench")
set(plugins --plugin "${WORK}/build/strategy_hello_ddp.so" --plugin "${WORK}/build/schedule_hello_serial.so")
unset(ENV{SHARDBENCH_PLUGIN_PATH})
unset(ENV{SHARDBENCH_RANK_LIBRARY})

# Runs a command that must end with `status`; its output is in `output` afterwards.
function(step status)
  list(JOIN ARGN " " command)
  message(STATUS "${command}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE errors
    WORKING_DIRECTORY "${WORK}")
  if(NOT result STREQUAL "${status}")
    message(FATAL_ERROR "'${command}' gave '${result}', but '${status}' is right. It said:\n${text}${errors}")
  endif()
  set(output "${text}${errors}" PARENT_SCOPE)
endfunction()

function(expect text what)
  if(NOT "${text}" MATCHES "${what}")
    message(FATAL_ERROR "'${what}' is not in:\n${text}")
  endif()
endfunction()

step(0 "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
# Another LibTorch than the driver's is refused when the project is configured.
set(other "${WORK}/other-libtorch")
file(WRITE "${other}/include/ATen/ATen.h" "")
file(WRITE "${other}/include/torch/headeronly/version.h"
  "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 7\n#define TORCH_VERSION_PATCH 1\n")
file(WRITE "${other}/lib/libtorch_cpu.so" "")
file(WRITE "${other}/lib/libc10.so" "")
step(1 "${CMAKE_COMMAND}" -S "${EXAMPLE}" -B "${WORK}/refused-build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DSHARDBENCH_LIBTORCH=${other}")
expect("${output}" "is[ \n]+2\\.7\\.1,[ \n]+but[ \n]+the[ \n]+shardbench[ \n]+in")

# So is another compiler: the same one, which calls itself 99.
set(other_compiler "${WORK}/other-compiler")
file(WRITE "${other_compiler}" "#!/bin/sh\nexec '${COMPILER}' -w -U__GNUC_MINOR__ -D__GNUC_MINOR__=99 "
  "-U__clang_minor__ -D__clang_minor__=99 \"$@\"\n")
file(CHMOD "${other_compiler}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
step(1 "${CMAKE_COMMAND}" -S "${EXAMPLE}" -B "${WORK}/refused-compiler" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${other_compiler}")
expect("${output}" "\\.99\\.[0-9]+',[ \n]+but[ \n]+the[ \n]+shardbench[ \n]+in")
expect("${output}" "set[ \n]+CMAKE_CXX_COMPILER[ \n]+to[ \n]+that[ \n]+one")

step(0 "${CMAKE_COMMAND}" -S "${EXAMPLE}" -B "${WORK}/build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
step(0 "${CMAKE_COMMAND}" --build "${WORK}/build")

step(0 "${shardbench}" list ${plugins})
expect("${output}" "hello_ddp[^\n]*0\\.1\\.0")
expect("${output}" "hello_serial[^\n]*0\\.1\\.0")
expect("${output}" "strategy_hello_ddp\\.so")

# The suite needs them: without --plugin it is refused before anything runs, and names the first one.
step(2 "${shardbench}" run "${EXAMPLE}/hello.toml" --out "${WORK}/refused")
expect("${output}" "hello_ddp")

step(0 "${shardbench}" run "${EXAMPLE}/hello.toml" ${plugins} --out "${WORK}/results")
file(STRINGS "${WORK}/results/results.csv" rows)
foreach(subject "ddp" "hello_ddp" "gpipe" "hello_serial")
  set(found FALSE)
  foreach(row IN LISTS rows)
    if(row MATCHES ",${subject}," AND row MATCHES ",ok,")
      set(found TRUE)
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "${WORK}/results/results.csv has no row of ${subject} with status ok")
  endif()
endforeach()
