#include "result/junit.hpp"

#include <fmt/format.h>
#include <cstdint>

#include "result/quantities.hpp"

namespace shardbench {
namespace {

/// Length of the UTF-8 sequence at `i` if it is well formed and allowed in XML 1.0, else 0.
std::size_t allowed_sequence(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return lead >= 0x20 || lead == '\n' || lead == '\t' ? 1 : 0;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || i + length > text.size()) return 0;
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
    code = (code << 6) | (byte(i + k) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return overlong || forbidden ? 0 : length;
}

std::string fault(const char* element, const std::string& type, const std::string& message, const std::string& body) {
  return fmt::format("    <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, xml_escaped(type),
                     xml_escaped(message), xml_escaped(body));
}

std::string failed_invariants(const CaseResult& result) {
  std::string lines;
  for (const auto& outcome : result.invariants)
    if (outcome.verdict == Verdict::failed) lines += fmt::format("{}: {}\n", outcome.name, outcome.message);
  return lines.empty() ? result.detail : lines;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = allowed_sequence(text, i);
    switch (length == 1 ? text[i] : '\0') {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&apos;"; break;
      default: escaped += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return escaped;
}

std::string junit_case(const CaseResult& result, JunitCounts& counts) {
  const Case& spec = result.spec;
  std::string inner;
  switch (result.status) {
    case Status::ok: break;
    case Status::failed:
      ++counts.failures;
      inner = fault("failure", "invariant", detail_line(result), failed_invariants(result));
      break;
    case Status::crashed:
    case Status::timeout:
      ++counts.errors;
      inner = fault("error", name_of(result.status), detail_line(result), result.detail);
      break;
    case Status::skipped:
      ++counts.skipped;
      inner = fmt::format("    <skipped message=\"{}\"/>\n", xml_escaped(detail_line(result)));
      break;
  }
  ++counts.tests;
  counts.seconds += result.wall_s;
  const std::string head =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                  xml_escaped(spec.suite + '.' + name_of(spec.program)), xml_escaped(spec.id), result.wall_s);
  return inner.empty() ? head + "/>\n" : head + ">\n" + inner + "  </testcase>\n";
}

std::string junit_document(const RunInfo& run, const JunitCounts& counts, const std::string& cases) {
  const Environment& e = run.environment;
  const std::string totals = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", counts.tests,
                                         counts.failures, counts.errors, counts.seconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites {}>\n", totals);
  text += fmt::format(" <testsuite name=\"{}\" timestamp=\"{}\" {} skipped=\"{}\">\n  <properties>\n",
                      xml_escaped(run.suite), utc_text(run.started), totals, counts.skipped);
  const auto property = [&](std::string_view name, std::string_view value) {
    text += fmt::format("   <property name=\"{}\" value=\"{}\"/>\n", xml_escaped(name), xml_escaped(value));
  };
  if (!run.injected.empty()) property("injected", run.injected);
  property("environment", e.digest());
  property("cpu", e.cpu);
  property("cores", std::to_string(e.cores));
  property("kernel", e.kernel);
  property("distribution", e.distribution);
  property("compiler", e.compiler);
  property("core_version", e.core_version);
  property("commit", e.commit_text());
  for (const auto& [name, version] : e.libraries) property("library." + name, version);
  for (const auto& p : e.plugins) property("plugin." + p.kind + '.' + p.name, p.version + " sha1 " + p.sha1);
  for (const auto& [name, value] : e.variables) property("variable." + name, value);
  return text + "  </properties>\n" + cases + " </testsuite>\n</testsuites>\n";
}

}  // namespace shardbench
