#include "report/page.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "report/data.hpp"
#include "report/page_parts.hpp"
#include "result/fingerprint.hpp"
#include "result/json.hpp"
#include "result/junit.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// JSON that can stand inside a script element: without '<' it can neither end it nor begin a comment in it.
std::string inside_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace

std::string report_page(const ReportInput& input) {
  const std::string data = inside_script(dump(report_data(input)));
  // Only scripts that know the digest of the data run, and no text can hold the digest of a whole that it is part of.
  const std::string nonce = sha1(data);
  const std::string title = xml_escaped(input.run.suite + " - Shardbench report");
  const auto part = [&](std::string_view name) -> std::string_view {
    if (name == "title") return title;
    if (name == "nonce") return nonce;
    if (name == "data") return data;
    if (name == "style") return page_parts::style;
    return name == "library" ? page_parts::library : page_parts::script;
  };
  std::string page;
  std::string_view rest = page_parts::page;
  for (std::size_t at = 0; (at = rest.find('@')) != std::string_view::npos;) {
    const std::size_t end = rest.find('@', at + 1);
    if (end == std::string_view::npos)
      throw Error("the page has one '@' without its second", "core/report/page/page.html");
    page += rest.substr(0, at);
    page += part(rest.substr(at + 1, end - at - 1));
    rest.remove_prefix(end + 1);
  }
  page += rest;
  return page;
}

}  // namespace shardbench
