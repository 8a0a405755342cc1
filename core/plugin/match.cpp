#include <algorithm>
#include <cstring>
#include <string>

#include "plugin/descriptor.hpp"

namespace shardbench {
namespace {

constexpr const char* use_macros = "write the descriptor with the macros of shardbench/plugin.hpp";
constexpr const char* use_headers = "rebuild the plugin with the headers of shardbench " SHARDBENCH_VERSION;

/// Whether every sequence of bytes is a character (RFC 3629; surrogates and overlong forms aside, which only look odd).
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    std::size_t more = 0;
    if (first >= 0xc2 && first < 0xe0)
      more = 1;
    else if (first >= 0xe0 && first < 0xf0)
      more = 2;
    else if (first >= 0xf0 && first < 0xf5)
      more = 3;
    else if (first >= 0x80)
      return false;
    for (; more > 0; --more, ++i)
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return false;
  }
  return true;
}

/// Compares fields and words the refusals.
class Matcher {
 public:
  void same(const char* field, const std::string& theirs, const std::string& ours, const std::string& cure) {
    if (theirs != ours)
      refuse(std::string("its ") + field + " is '" + theirs + "', but this driver's is '" + ours + "'", cure);
  }

  void same(const char* field, std::uint32_t theirs, std::uint32_t ours, const std::string& cure) {
    if (theirs != ours)
      refuse(std::string("its ") + field + " is " + std::to_string(theirs) + ", but this driver's is " +
                 std::to_string(ours),
             cure);
  }

  /// A field that is a text is compared.
  template <std::size_t N>
  void same_text(const char* field, const char (&theirs)[N], const std::string& ours, const std::string& cure) {
    if (is_text(field, theirs)) same(field, theirs, ours, cure);
  }

  /// Whether it ends inside the field and is one line of UTF-8, so that it is safe to print; else refuses it.
  template <std::size_t N>
  bool is_text(const char* field, const char (&value)[N]) {
    const std::string its = std::string("its ") + field;
    const auto* end = static_cast<const char*>(std::memchr(value, '\0', N));
    if (end == nullptr) {
      refuse(its + " has no end within its " + std::to_string(N) + " bytes", use_macros);
      return false;
    }
    const std::string_view text(value, static_cast<std::size_t>(end - value));
    const bool control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (control) refuse(its + " contains control characters, but must be one line of text", use_macros);
    if (!is_utf8(text)) refuse(its + " is not UTF-8", use_macros);
    return !control && is_utf8(text);
  }

  void refuse(const std::string& problem, const std::string& cure) { found.push_back({problem, cure}); }

  std::vector<Refusal> found;
};

/// What was compiled with what.
void match_build(Matcher& match, const PluginDescriptor& d) {
  match.same_text("core_version", d.core_version, SHARDBENCH_SDK_VERSION, use_headers);
  match.same_text("compiler", d.compiler, SHARDBENCH_COMPILER,
                  "rebuild the plugin with compiler version " SHARDBENCH_COMPILER ", or shardbench with the plugin's");
  match.same_text("libstdcxx_abi", d.libstdcxx_abi, SHARDBENCH_LIBSTDCXX_ABI,
                  "rebuild the plugin with the same _GLIBCXX_USE_CXX11_ABI as shardbench");
  match.same_text("layout", d.layout, SHARDBENCH_LAYOUT,
                  "rebuild the plugin with the standard library and the switches of shardbench");
  match.same("layout_bytes", d.layout_bytes, layout_bytes,
             "rebuild the plugin without switches that change the layout of types (-D_GLIBCXX_DEBUG, -fpack-struct)");
  const bool strategy = d.kind == PluginKind::strategy;
  match.same_text("torch_version", d.torch_version, strategy ? SHARDBENCH_TORCH_VERSION : "",
                  strategy ? "rebuild the plugin with LibTorch " SHARDBENCH_TORCH_VERSION
                           : "leave it empty: only strategies use LibTorch");
}

/// What it says of itself.
void match_texts(Matcher& match, const PluginDescriptor& d) {
  if (match.is_text("launcher", d.launcher)) {
    const std::string launcher = d.launcher;
    if (d.kind == PluginKind::comm ? launcher != "fork" && launcher != "mpirun" : !launcher.empty())
      match.refuse("its launcher is '" + launcher + "', but must be " +
                       (d.kind == PluginKind::comm ? "'fork' or 'mpirun'" : "empty: only a comm backend has one"),
                   use_macros);
  }
  if (match.is_text("name", d.name) && !is_plain_name(d.name))
    match.refuse(std::string("its name is '") + d.name + "', but a name is made of a to z, 0 to 9 and '_'",
                 "rename the plugin");
  match.is_text("version", d.version);
  match.is_text("description", d.description);
  if (match.is_text("options", d.options))
    for (const std::string& problem : parse_options(d.options).problems) match.refuse(problem, ParsedOptions::cure);
}

}  // namespace

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<Refusal> refusals(const PluginDescriptor& d) {
  Matcher match;
  if (std::memcmp(d.magic, "SHRDBNCH", sizeof d.magic) != 0) {
    match.refuse("its magic is not 'SHRDBNCH', so its constant shardbench_plugin is no descriptor", use_macros);
    return match.found;
  }
  match.same("struct_size", d.struct_size, sizeof(PluginDescriptor), use_headers);
  match.same("abi", d.abi, plugin_abi, use_headers);
  if (!match.found.empty()) return match.found;
  if (d.kind != PluginKind::comm && d.kind != PluginKind::strategy && d.kind != PluginKind::schedule)
    match.refuse("its kind is " + std::to_string(static_cast<std::uint32_t>(d.kind)) +
                     ", but the kinds are 1 (comm), 2 (strategy) and 3 (schedule)",
                 use_macros);
  match_build(match, d);
  match_texts(match, d);
  return match.found;
}

RefusedDescriptor::RefusedDescriptor(std::vector<Refusal> all, const std::filesystem::path& file)
    : Error(all.front().problem + (all.size() == 1 ? ""
                                                   : " (and " + std::to_string(all.size() - 1) +
                                                         " more: shardbench list --plugin FILE names them)"),
            file.string(), all.front().cure),
      all_(std::move(all)) {}

void match_descriptor(const PluginDescriptor& d, const std::filesystem::path& file) {
  if (auto all = refusals(d); !all.empty()) throw RefusedDescriptor(std::move(all), file);
}

}  // namespace shardbench
