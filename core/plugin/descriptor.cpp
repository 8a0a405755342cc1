#include "plugin/descriptor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "plugin/elf.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

PluginDescriptor read_descriptor(const std::filesystem::path& file) {
  constexpr std::size_t head = offsetof(PluginDescriptor, name);  // magic, size, ABI, kind: enough to say what differs
  const auto bytes = read_exported_object(file, plugin_symbol, sizeof(PluginDescriptor) + 1);
  PluginDescriptor descriptor{};
  std::memcpy(&descriptor, bytes.data(), std::min(bytes.size(), offsetof(PluginDescriptor, create_comm)));
  const bool lies = descriptor.struct_size == sizeof descriptor && bytes.size() != sizeof descriptor;
  if (bytes.size() < head || lies)
    throw Error("its descriptor is " + std::to_string(bytes.size()) +
                    (bytes.size() > sizeof descriptor ? " or more" : "") + " bytes, but should be " +
                    std::to_string(sizeof descriptor),
                file.string(), "write the descriptor with the macros of shardbench/plugin.hpp");
  return descriptor;
}

PluginInfo read_plugin(const std::filesystem::path& file, const std::string& origin) {
  const auto descriptor = read_descriptor(file);
  match_descriptor(descriptor, file);
  PluginInfo info;
  info.kind = descriptor.kind;
  info.name = descriptor.name;
  info.version = descriptor.version;
  info.description = descriptor.description;
  info.torch_version = descriptor.torch_version;
  info.launcher = descriptor.launcher;
  info.file = file;
  info.origin = origin;
  info.optimized = descriptor.optimized != 0;
  info.options = parse_options(descriptor.options).options;
  return info;
}

}  // namespace shardbench
