#include <string>

#include <ATen/Version.h>
#include <torch/version.h>

#include "rank/server.hpp"

const char* shardbench_rank_versions() {
  static const std::string text =
      "LibTorch=" TORCH_VERSION "\nBLAS=" + at::get_mkl_version() + "\nCPU capability=" + at::get_cpu_capability();
  return text.c_str();
}
