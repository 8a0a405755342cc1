#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

/// The descriptor as it stands in the plugin's file, unmatched; nothing of the plugin is loaded or run. Its entry
/// points are relocations in the file, so they are given as null. Throws `Error` naming the file.
PluginDescriptor read_descriptor(const std::filesystem::path& file);

/// One reason not to use a plugin.
struct Refusal {
  std::string problem;  ///< the field, with both values
  std::string cure;
};

/// Every field in which the plugin differs from this driver, every text that is none (no end inside the field, control
/// characters, not UTF-8, a bad name) and every fault of its options. Where magic, size or ABI differ, only these: then
/// nobody knows where the other fields are.
std::vector<Refusal> refusals(const PluginDescriptor& descriptor);

/// Throws `RefusedDescriptor` if there is one.
void match_descriptor(const PluginDescriptor& descriptor, const std::filesystem::path& file);

/// The first of all reasons as an `Error`, which says how many more there are.
class RefusedDescriptor : public Error {
 public:
  RefusedDescriptor(std::vector<Refusal> all, const std::filesystem::path& file);
  const std::vector<Refusal>& all() const noexcept { return all_; }

 private:
  std::vector<Refusal> all_;
};

/// The options that a plugin declares, and what is wrong with the text.
struct ParsedOptions {
  std::map<std::string, std::vector<std::string>> options;
  std::vector<std::string> problems;  ///< each begins with "its options are '...', but"
  static constexpr const char* cure = "write them as \"partition=greedy|flat;bucket_mb=*\"";
};

/// "partition=greedy|flat;bucket_mb=*" -> {partition: [greedy, flat], bucket_mb: [*]}; empty text -> no option.
/// Names are [a-z0-9_]+ and occur once; values are not empty and occur once; '*' stands alone.
ParsedOptions parse_options(std::string_view text);

/// Reads, matches and parses: what the catalogue keeps of a plugin. Throws as `read_descriptor` and
/// `match_descriptor` do.
PluginInfo read_plugin(const std::filesystem::path& file, const std::string& origin);

/// Whether `name` is [a-z0-9_]+, as names of plugins and of their options must be.
bool is_plain_name(std::string_view name) noexcept;

}  // namespace shardbench
