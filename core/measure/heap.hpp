#pragma once
#include <cstdint>
#include <string_view>

/// Memory of the process that ATen's allocator does not count: `std::vector`, objects, what libraries keep.

namespace shardbench::measure {

/// Bytes in use by malloc, over all threads, less those of ATen's blocks. Exact but for at most 32 bytes a tensor and
/// for what threads keep to hand out again (malloc's tcache).
std::int64_t heap_bytes();

/// A size in /proc/self/status, e.g. "VmHWM" or "RssAnon"; 0 where the kernel does not have it.
std::uint64_t status_bytes(std::string_view field);

}  // namespace shardbench::measure
