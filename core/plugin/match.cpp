#include <algorithm>
#include <cstring>
#include <string>

#include "plugin/descriptor.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Compares the fields of one file and words the refusal.
class Matcher {
 public:
  explicit Matcher(const std::filesystem::path& file) : file_(file) {}

  void same(const char* field, const std::string& theirs, const std::string& ours, const std::string& cure) const {
    if (theirs != ours)
      refuse(std::string("its ") + field + " is '" + theirs + "', but this driver's is '" + ours + "'", cure);
  }

  void same(const char* field, std::uint32_t theirs, std::uint32_t ours, const std::string& cure) const {
    if (theirs != ours)
      refuse(std::string("its ") + field + " is " + std::to_string(theirs) + ", but this driver's is " +
                 std::to_string(ours),
             cure);
  }

  /// The text of a field: it ends inside the field and has no control characters, so it is safe to print.
  template <std::size_t N>
  std::string text(const char* field, const char (&value)[N]) const {
    if (std::memchr(value, '\0', N) == nullptr)
      refuse(std::string("its ") + field + " has no end within its " + std::to_string(N) + " bytes", use_macros);
    std::string text = value;
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      refuse(std::string("its ") + field + " contains control characters, but must be one line of text", use_macros);
    return text;
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& cure) const {
    throw Error(problem, file_.string(), cure);
  }

  static constexpr const char* use_macros = "write the descriptor with the macros of shardbench/plugin.hpp";

 private:
  const std::filesystem::path& file_;
};

}  // namespace

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void match_descriptor(const PluginDescriptor& d, const std::filesystem::path& file) {
  const Matcher match(file);
  const std::string headers = "rebuild the plugin with the headers of shardbench " SHARDBENCH_VERSION;
  if (std::memcmp(d.magic, "SHRDBNCH", sizeof d.magic) != 0)
    match.refuse("its magic is not 'SHRDBNCH', so its constant shardbench_plugin is no descriptor",
                 Matcher::use_macros);
  match.same("struct_size", d.struct_size, sizeof(PluginDescriptor), headers);
  match.same("abi", d.abi, plugin_abi, headers);
  if (d.kind != PluginKind::comm && d.kind != PluginKind::strategy && d.kind != PluginKind::schedule)
    match.refuse("its kind is " + std::to_string(static_cast<std::uint32_t>(d.kind)) +
                     ", but the kinds are 1 (comm), 2 (strategy) and 3 (schedule)",
                 Matcher::use_macros);
  match.same("core_version", match.text("core_version", d.core_version), SHARDBENCH_SDK_VERSION, headers);
  match.same("compiler", match.text("compiler", d.compiler), SHARDBENCH_COMPILER,
             "rebuild the plugin with compiler version " SHARDBENCH_COMPILER ", or shardbench with the plugin's");
  match.same("libstdcxx_abi", match.text("libstdcxx_abi", d.libstdcxx_abi), SHARDBENCH_LIBSTDCXX_ABI,
             "rebuild the plugin with the same _GLIBCXX_USE_CXX11_ABI as shardbench");
  match.same("torch_version", match.text("torch_version", d.torch_version),
             d.kind == PluginKind::strategy ? SHARDBENCH_TORCH_VERSION : "",
             d.kind == PluginKind::strategy ? "rebuild the plugin with LibTorch " SHARDBENCH_TORCH_VERSION
                                            : "leave it empty: only strategies use LibTorch");
  const auto launcher = match.text("launcher", d.launcher);
  if (d.kind == PluginKind::comm ? launcher != "fork" && launcher != "mpirun" : !launcher.empty())
    match.refuse("its launcher is '" + launcher + "', but must be " +
                     (d.kind == PluginKind::comm ? "'fork' or 'mpirun'" : "empty: only a comm backend has one"),
                 Matcher::use_macros);
  const auto name = match.text("name", d.name);
  if (!is_plain_name(name))
    match.refuse("its name is '" + name + "', but a name is made of a to z, 0 to 9 and '_'", "rename the plugin");
  match.text("version", d.version);
  match.text("description", d.description);
  match.text("options", d.options);
}

}  // namespace shardbench
