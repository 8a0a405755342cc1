#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace shardbench {

/// The bytes that a shared library holds in its file for the data object that it exports as `name`; nothing of it is
/// loaded or run. At most `limit` bytes are given, even if the object is larger.
///
/// Reads ELF64 of this machine's byte order and architecture (System V ABI, "Object Files"): the section of dynamic
/// symbols (SHT_DYNSYM), and the segments (PT_LOAD) for the way from an address to a place in the file. Pointers inside
/// the object are relocations, which the loader fills in, so they read as whatever the linker left there.
///
/// Throws `Error` for anything else: no file, not ELF, truncated, no such object. No content of a file makes it read
/// outside of it.
std::vector<std::byte> read_exported_object(const std::filesystem::path& file, std::string_view name,
                                            std::size_t limit);

}  // namespace shardbench
