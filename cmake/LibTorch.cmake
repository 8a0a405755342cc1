# The imported target shardbench::torch: headers, libtorch_cpu and libc10 of an existing LibTorch.
#
# SHARDBENCH_LIBTORCH (cache or environment) names a folder that holds include/ and lib/ (or torch/include and
# torch/lib, as the PyPI wheel does). find_package(Torch) is not used: the wheel's needs a CUDA tool kit to configure.
set(SHARDBENCH_LIBTORCH "$ENV{SHARDBENCH_LIBTORCH}" CACHE PATH "LibTorch: a folder with include/ and lib/")
if(NOT SHARDBENCH_LIBTORCH)
  if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(_cache "$ENV{XDG_CACHE_HOME}")
  else()
    set(_cache "$ENV{HOME}/.cache")
  endif()
  set(SHARDBENCH_LIBTORCH "${_cache}/shardbench/libtorch-2.13.0" CACHE PATH "" FORCE)
endif()
set(_roots "${SHARDBENCH_LIBTORCH}" "${SHARDBENCH_LIBTORCH}/torch")
find_path(SHARDBENCH_TORCH_INCLUDE ATen/ATen.h PATHS ${_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(SHARDBENCH_TORCH_CPU torch_cpu PATHS ${_roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(SHARDBENCH_TORCH_C10 c10 PATHS ${_roots} PATH_SUFFIXES lib NO_DEFAULT_PATH)
if(NOT SHARDBENCH_TORCH_INCLUDE OR NOT SHARDBENCH_TORCH_CPU OR NOT SHARDBENCH_TORCH_C10)
  message(FATAL_ERROR "LibTorch is not in '${SHARDBENCH_LIBTORCH}': run scripts/bootstrap, which installs it into the "
                      "cache folder, or set SHARDBENCH_LIBTORCH to a folder that holds its include/ and lib/.")
endif()
set(_version_header "${SHARDBENCH_TORCH_INCLUDE}/torch/headeronly/version.h")
if(NOT EXISTS "${_version_header}")  # before 2.9
  set(_version_header "${SHARDBENCH_TORCH_INCLUDE}/torch/csrc/api/include/torch/version.h")
endif()
file(STRINGS "${_version_header}" _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
list(JOIN _numbers "." SHARDBENCH_TORCH_VERSION)
if(SHARDBENCH_TORCH_VERSION VERSION_LESS 2.6)
  message(FATAL_ERROR "LibTorch '${SHARDBENCH_TORCH_VERSION}' in ${SHARDBENCH_LIBTORCH} is too old: 2.6 or newer is needed.")
endif()
message(STATUS "LibTorch ${SHARDBENCH_TORCH_VERSION}: ${SHARDBENCH_TORCH_INCLUDE}")

add_library(shardbench_torch INTERFACE)
add_library(shardbench::torch ALIAS shardbench_torch)
set_target_properties(shardbench_torch PROPERTIES EXPORT_NAME torch)
target_include_directories(shardbench_torch SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${SHARDBENCH_TORCH_INCLUDE}>"
  "$<BUILD_INTERFACE:${SHARDBENCH_TORCH_INCLUDE}/torch/csrc/api/include>")
target_link_libraries(shardbench_torch INTERFACE
  "$<BUILD_INTERFACE:${SHARDBENCH_TORCH_CPU}>" "$<BUILD_INTERFACE:${SHARDBENCH_TORCH_C10}>")
