#pragma once
#include <gtest/gtest.h>
#include <algorithm>
#include <string>

#include "check/check.hpp"

namespace shardbench::testing {

/// The outcome of one invariant; a test that names a missing one fails.
inline InvariantOutcome outcome_of(const CaseResult& result, std::string_view name, const Suite& suite = {}) {
  const auto outcomes = check_case(result, suite);
  const auto it = std::find_if(outcomes.begin(), outcomes.end(), [&](const auto& o) { return o.name == name; });
  if (it != outcomes.end()) return *it;
  ADD_FAILURE() << "no invariant " << name << " for a case of " << name_of(result.spec.program);
  return {};
}

inline void expect(const CaseResult& result, std::string_view name, Verdict verdict, const std::string& message,
                   const Suite& suite = {}) {
  const auto outcome = outcome_of(result, name, suite);
  EXPECT_EQ(name_of(outcome.verdict), name_of(verdict)) << name;
  EXPECT_EQ(outcome.message, message) << name;
}

inline void expect_failed(const CaseResult& result, std::string_view name, const std::string& message) {
  expect(result, name, Verdict::failed, message);
}

inline void expect_not_run(const CaseResult& result, std::string_view name, const std::string& message) {
  expect(result, name, Verdict::not_run, message);
}

inline void expect_passed(const CaseResult& result, std::string_view name) {
  expect(result, name, Verdict::passed, "");
}

}  // namespace shardbench::testing
