#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.hpp"
#include "suite/case.hpp"
#include "suite/gate.hpp"
#include "suite/suite_errors.hpp"

namespace shardbench {

/// Reads, validates and expands a suite file and its reference file; the format is docs/suites.md. All or nothing:
/// throws `SuiteErrors` with every problem of both files, or `Error` if the file cannot be read.
///
///     const Suite suite = load_suite("suites/notebook-3.13.toml", catalogue);
Suite load_suite(const std::filesystem::path& file, const Catalogue& catalogue);

/// The same from a text; `file` is what messages call it, and what its relative paths are relative to.
Suite parse_suite(std::string_view text, const std::filesystem::path& file, const Catalogue& catalogue);

/// Only [gate] of a suite file. Throws where the file cannot be read or parsed; what else is wrong with it, this table
/// included, is for `load_suite` to report.
Gate load_gate(const std::filesystem::path& file);
Gate parse_gate(std::string_view text, const std::filesystem::path& file);

/// Only [plugins] path of a suite file, for the catalogue that `load_suite` then needs; relative paths are taken from
/// the suite's folder. Throws as `load_suite` does where the file cannot be read or parsed; whatever else is wrong with
/// it, this key included, is left to `load_suite`, which reports it together with the rest.
std::vector<std::string> read_plugin_path(const std::filesystem::path& file);

}  // namespace shardbench
