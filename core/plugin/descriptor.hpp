#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.hpp"

namespace shardbench {

/// The descriptor as it stands in the plugin's file, unmatched; nothing of the plugin is loaded or run. Its entry
/// points are relocations in the file, so they are given as null. Throws `Error` naming the file.
PluginDescriptor read_descriptor(const std::filesystem::path& file);

/// Throws `Error` naming the file, the field, both values and the cure, on the first field in which the plugin differs
/// from this driver, and on texts that are none (no end inside the field, control characters, a bad name).
void match_descriptor(const PluginDescriptor& descriptor, const std::filesystem::path& file);

/// "partition=greedy|flat;bucket_mb=*" -> {partition: [greedy, flat], bucket_mb: [*]}; empty text -> no option.
/// Names are [a-z0-9_]+ and occur once; values are not empty and occur once; '*' stands alone. Else throws `Error`.
std::map<std::string, std::vector<std::string>> parse_options(std::string_view text);

/// Reads, matches and parses: what the catalogue keeps of a plugin.
PluginInfo read_plugin(const std::filesystem::path& file, const std::string& origin);

/// Whether `name` is [a-z0-9_]+, as names of plugins and of their options must be.
bool is_plain_name(std::string_view name) noexcept;

}  // namespace shardbench
