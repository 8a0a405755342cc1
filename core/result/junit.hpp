#pragma once
#include <string>
#include <string_view>

#include "result/case_result.hpp"
#include "result/run_info.hpp"

/// junit.xml, as continuous-integration servers read it: one testcase per case.

namespace shardbench {

/// Text for an attribute or an element: & < > " ' escaped, characters that XML 1.0 forbids removed.
std::string xml_escaped(std::string_view text);

struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

/// One testcase: a failure with the messages of its failed invariants, an error where the ranks crashed or ran out of
/// time, or skipped. Adds it to the counts.
std::string junit_case(const CaseResult& result, JunitCounts& counts);

/// The document around the testcases.
std::string junit_document(const RunInfo& run, const JunitCounts& counts, const std::string& cases);

}  // namespace shardbench
