#include "measure/heap.hpp"

#include <malloc.h>
#include <fstream>
#include <string>

#include "measure/allocator.hpp"

namespace shardbench::measure {

std::int64_t heap_bytes() {
  const struct mallinfo2 heap = ::mallinfo2();
  return static_cast<std::int64_t>(heap.uordblks + heap.hblkhd) - static_cast<std::int64_t>(bytes_from_malloc());
}

std::uint64_t status_bytes(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field) && line.substr(field.size()).starts_with(':'))
      return std::stoull(line.substr(field.size() + 1)) * 1024;
  return 0;
}

}  // namespace shardbench::measure
