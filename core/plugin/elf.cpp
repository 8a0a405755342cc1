#include "plugin/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <type_traits>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t this_machine = EM_AARCH64;
#else
#error "name this machine's e_machine of <elf.h> here"
#endif

/// A file read by ranges, each of which must lie inside it.
class File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) refuse("there is no such file", "name the plugin's .so file");
    if (!std::filesystem::is_regular_file(status)) refuse("it is not a regular file", "name the plugin's .so file");
    size_ = std::filesystem::file_size(path, error);
    stream_.open(path, std::ios::binary);
    if (error || !stream_) refuse("it cannot be read", "make it readable");
  }

  std::uint64_t size() const noexcept { return size_; }

  /// `bytes` bytes as an array of T; bytes left over at its end are no T.
  template <class T>
  std::vector<T> read_array(std::uint64_t offset, std::uint64_t bytes, const char* what) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > size_ || bytes > size_ - offset)
      refuse(std::string("it is truncated or damaged: its ") + what + " should be the " + std::to_string(bytes) +
                 " bytes from " + std::to_string(offset) + ", but the file has " + std::to_string(size_),
             "rebuild or copy it again");
    std::vector<T> values(bytes / sizeof(T));
    stream_.seekg(static_cast<std::streamoff>(offset));
    if (!stream_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T))))
      refuse("it cannot be read", "make it readable");
    return values;
  }

  template <class T>
  T read(std::uint64_t offset, const char* what) {
    return read_array<T>(offset, sizeof(T), what).front();
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& cure) const {
    throw Error(problem, path_.string(), cure);
  }

 private:
  std::filesystem::path path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

Elf64_Ehdr read_header(File& file) {
  auto ident = file.read_array<unsigned char>(0, std::min<std::uint64_t>(file.size(), EI_NIDENT), "identification");
  ident.resize(EI_NIDENT);
  if (std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0)
    file.refuse("it is not a shared library: it does not begin with the ELF magic", "name the plugin's .so file");
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
    file.refuse("it is not a 64-bit little-endian ELF file", "rebuild the plugin for this machine");
  const auto header = file.read<Elf64_Ehdr>(0, "ELF header");
  if (header.e_machine != this_machine)
    file.refuse("it is for ELF machine " + std::to_string(header.e_machine) + ", but this one is " +
                    std::to_string(this_machine),
                "rebuild the plugin for this machine");
  if (header.e_type != ET_DYN)
    file.refuse(
        "it is ELF type " + std::to_string(header.e_type) + ", but a shared library is " + std::to_string(ET_DYN),
        "link the plugin as a shared library (CMake: add_library(... MODULE ...))");
  return header;
}

/// The definition of `name` among the dynamic symbols.
std::optional<Elf64_Sym> find_symbol(File& file, const Elf64_Ehdr& header, std::string_view name) {
  if (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf64_Shdr))
    file.refuse("it is damaged: its section headers are " + std::to_string(header.e_shentsize) + " bytes each, but " +
                    std::to_string(sizeof(Elf64_Shdr)) + " is right",
                "rebuild or copy it again");
  const auto sections = file.read_array<Elf64_Shdr>(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr),
                                                    "table of section headers");
  for (const auto& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const auto& text_section = sections[section.sh_link];
    const auto texts = file.read_array<char>(text_section.sh_offset, text_section.sh_size, "names of dynamic symbols");
    const auto symbols = file.read_array<Elf64_Sym>(section.sh_offset, section.sh_size, "table of dynamic symbols");
    for (const auto& symbol : symbols) {
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= texts.size()) continue;
      const auto* begin = texts.data() + symbol.st_name;
      const std::size_t room = texts.size() - symbol.st_name;
      if (room > name.size() && begin[name.size()] == '\0' && std::string_view(begin, name.size()) == name)
        return symbol;
    }
    break;  // there is one such section at most
  }
  return std::nullopt;
}

/// Where the file holds the bytes [address, address + bytes) of the loaded image.
std::uint64_t offset_of(File& file, const Elf64_Ehdr& header, std::uint64_t address, std::uint64_t bytes) {
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr))
    file.refuse("it is damaged: its program headers are " + std::to_string(header.e_phentsize) + " bytes each, but " +
                    std::to_string(sizeof(Elf64_Phdr)) + " is right",
                "rebuild or copy it again");
  const auto segments = file.read_array<Elf64_Phdr>(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr),
                                                    "table of program headers");
  for (const auto& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t inside = address - segment.p_vaddr;
    if (inside > segment.p_filesz || bytes > segment.p_filesz - inside) continue;
    if (segment.p_offset > file.size() || inside > file.size() - segment.p_offset) continue;
    return segment.p_offset + inside;
  }
  file.refuse("it is damaged: no segment of the file holds the " + std::to_string(bytes) + " bytes at address " +
                  std::to_string(address),
              "rebuild or copy it again");
}

}  // namespace

std::vector<std::byte> read_exported_object(const std::filesystem::path& path, std::string_view name,
                                            std::size_t limit) {
  File file(path);
  const auto header = read_header(file);
  const auto symbol = find_symbol(file, header, name);
  if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
    file.refuse("it exports no constant " + std::string(name) + ", so it is no plugin",
                "write the descriptor with SHARDBENCH_COMM, SHARDBENCH_STRATEGY or SHARDBENCH_SCHEDULE");
  const auto bytes = std::min<std::uint64_t>(symbol->st_size, limit);
  return file.read_array<std::byte>(offset_of(file, header, symbol->st_value, bytes), bytes, "descriptor");
}

}  // namespace shardbench
