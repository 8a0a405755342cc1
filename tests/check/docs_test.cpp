#include <gtest/gtest.h>

#include "check/check.hpp"
#include "result/document.hpp"

using namespace shardbench;

namespace {

std::string invariants_document() {
  std::string text =
      "# Invariants\n\n"
      "<!-- Written from core/check/check.cpp by check_docs_test; see CONTRIBUTING.md before you edit it. -->\n\n"
      "A case is red (`failed`, exit code 1) when one of these does not hold. Each names both numbers, the rank and "
      "the\n"
      "unit in its message. What could not be checked is reported as `not_run` with the reason and never counts as "
      "passed:\n"
      "all of them where the case crashed, ran out of time or was skipped.\n"
      "Ranks count from 0, launches and steps from 1. \"The law\" is the strategy's or the schedule's own claim\n"
      "([laws](laws.md)). Tolerances are those of the table: no option changes them. [Planted bugs](planted-bugs.md) "
      "shows\nwhat each of them catches.\n\n"
      "| invariant | programs | compared | tolerance | what holds |\n|---|---|---|---|---|\n";
  std::string needed;
  for (const auto& info : invariants()) {
    std::string programs;
    for (const Program program : {Program::training, Program::pipeline, Program::collective})
      if (contains(info.programs, program)) programs += (programs.empty() ? "" : ", ") + name_of(program);
    text += "| `" + std::string(info.name) + "` | " + programs + " | " + std::string(info.scope) + " | " +
            std::string(info.tolerance) + " | " + std::string(info.meaning) + " |\n";
    if (is_needed_for_times(info.name)) needed += (needed.empty() ? "`" : ", `") + std::string(info.name) + '`';
  }
  text +=
      "\nThe samples of a launch are step times only where these hold in it; else the columns of its times are empty, "
      "and "
      "it takes\nno part in tables, comparisons and histories: " +
      needed + ".\n";
  return text;
}

}  // namespace

TEST(Docs, InvariantsAreThoseOfTheTable) {
  shardbench::testing::expect_document("docs/invariants.md", invariants_document());
}
