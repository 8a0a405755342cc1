#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>

#include "planted/planted_bugs.hpp"
#include "planted/runner.hpp"
#include "result/document.hpp"

using namespace shardbench::testing;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

/// The one run of all bugs and all right plugins.
const Outcome& all_runs() {
  static const Outcome outcome = call_driver("run", suite_of_all());
  return outcome;
}

std::vector<json> failed_invariants(const json& entry) {
  std::vector<json> failed;
  for (const json& i : entry.at("invariants"))
    if (i.at("verdict") == "failed") failed.push_back(i);
  return failed;
}

/// Names and messages of what failed, for a person who looks at a red test.
std::string why_red(const json& entry) {
  std::string text = entry.at("status").get<std::string>() + ": " + entry.at("detail").dump();
  for (const json& i : failed_invariants(entry))
    text += "\n  " + i.at("name").get<std::string>() + ": " + i.at("message").get<std::string>();
  return text;
}

const json& case_of(const PlantedBug& bug, int world) {
  for (const json& entry : all_runs().results.at("cases")) {
    const json& spec = entry.at("spec");
    const std::string subject = spec.at(bug.pipeline() ? "schedule" : "strategy");
    if (subject == bug.plugin && spec.at("world") == world && spec.at("optimizer").at("kind") == bug.optimizer &&
        spec.at("options").value("bug", "none") == bug.bug)
      return entry;
  }
  throw std::runtime_error("no case of " + bug.plugin + " with bug = " + bug.bug + " in world " +
                           std::to_string(world));
}

/// The message of the invariant (or the fault) that names the bug; empty, and the test fails, where nothing does.
std::string caught_message(const PlantedBug& bug, int world) {
  const json& entry = case_of(bug, world);
  if (bug.how == Caught::rank) {
    EXPECT_EQ(entry.at("status"), "crashed") << why_red(entry);
    for (const json& i : entry.at("invariants")) EXPECT_EQ(i.at("verdict"), "not_run") << i.at("name");
    const auto detail = entry.at("detail").get<std::string>();
    EXPECT_THAT(detail, HasSubstr(bug.caught_by));
    return detail;
  }
  EXPECT_EQ(entry.at("status"), "failed");
  for (const json& i : failed_invariants(entry))
    if (i.at("name") == bug.caught_by) return i.at("message");
  ADD_FAILURE() << bug.plugin << " with bug = " << bug.bug << " in world " << world << " is not caught by "
                << bug.caught_by << ":\n"
                << why_red(entry);
  return {};
}

/// The problem that `shardbench check` reports on a suite with that bug.
std::string refusal(const PlantedBug& bug) {
  const Outcome outcome = call_driver("check", suite_of(bug));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr(bug.caught_by));
  return outcome.output.substr(0, outcome.output.find('\n'));
}

/// Without what may differ from one run or machine to another: what malloc holds, reals (fused kernels round in their
/// own ways), hashes, which element of a parameter is the worst, which rank spoke first. Of several ranks, the first
/// alone.
std::string stable(std::string text) {
  text = std::regex_replace(text, std::regex("\\b[0-9a-f]{16}\\b"), "...");
  text = std::regex_replace(text, std::regex("differs by [^ ]+"), "differs by ...");
  text = std::regex_replace(text, std::regex("[^ ]+ times what the order"), "... times what the order");
  text = std::regex_replace(text, std::regex("(weight|bias)\\[[0-9]+\\]"), "$1[...]");
  text = std::regex_replace(text, std::regex("rank [0-9] failed in"), "rank ... failed in");
  text = std::regex_replace(text, std::regex("(held|left) [0-9]+ bytes outside"), "$1 ... bytes outside");
  text = std::regex_replace(text, std::regex("are tolerated \\([0-9]+ more\\)"), "are tolerated (... more)");
  for (const char* end : {"\n", " where: ", "; rank 1", "; rank 2"}) text = text.substr(0, text.find(end));
  return std::regex_replace(text, std::regex("^shardbench: "), "");
}

std::string worlds_text(const PlantedBug& bug) {
  std::string text;
  for (const int world : worlds_of(bug))
    if (world >= bug.from_world) text += (text.empty() ? "" : ", ") + std::to_string(world);
  return text;
}

std::string document() {
  std::string text =
      "# Planted bugs\n\n"
      "<!-- Written by planted_bugs_docs_test (tests/planted); see CONTRIBUTING.md before you edit it. -->\n\n"
      "Strategies and schedules that are wrong on purpose, each right but for one fault, and what catches each: an\n"
      "[invariant](invariants.md), a rank that refuses to go on (the case is `crashed`), or the check of the plan "
      "before\n"
      "anything runs (exit code 2). The message is that of the first rank in the first world in which the bug shows; "
      "`...`\n"
      "stands for numbers that depend on the machine. Where world 2 is not among the worlds, the bug has no effect in "
      "it\n"
      "and the case is green.\n\n"
      "| bug | the fault | worlds | caught by | message |\n|---|---|---|---|---|\n";
  for (const PlantedBug& bug : planted_bugs()) {
    const std::string by = bug.how == Caught::invariant ? "`" + bug.caught_by + "`"
                           : bug.how == Caught::rank    ? "a rank that refuses"
                                                        : "the check of the plan";
    const std::string message = bug.how == Caught::suite ? refusal(bug) : caught_message(bug, bug.from_world);
    text += "| `" + bug.plugin + "` `" + bug.bug + "` | " + bug.fault + " | " + worlds_text(bug) + " | " + by + " | " +
            stable(message) + " |\n";
  }
  return text;
}

}  // namespace

TEST(PlantedBugs, EveryBugOfThePluginsIsInTheTable) {
  const std::string listed = call_driver("list").output;
  std::set<std::string> known, declared;
  for (const PlantedBug& bug : planted_bugs()) known.insert(bug.plugin + " " + bug.bug);
  const std::regex entry("(planted_\\w+) [^\n]*\n *options: bug = ([^\n]*)");
  for (std::sregex_iterator plugin(listed.begin(), listed.end(), entry), end; plugin != end; ++plugin) {
    const std::string bugs = (*plugin)[2];
    const std::regex word("\\w+");
    for (std::sregex_iterator bug(bugs.begin(), bugs.end(), word); bug != end; ++bug)
      if (bug->str() != "none") declared.insert((*plugin)[1].str() + " " + bug->str());
  }
  EXPECT_EQ(known, declared);
}

TEST(PlantedBugs, AreAtLeastTwenty) { EXPECT_GE(planted_bugs().size(), 20u); }

TEST(PlantedBugs, TheRunIsRedAndComplete) {
  EXPECT_EQ(all_runs().exit_code, 1) << all_runs().output;
  ASSERT_FALSE(all_runs().results.is_null()) << all_runs().output;
}

TEST(PlantedBugs, EveryRightPluginIsGreen) {
  int right = 0;
  for (const json& entry : all_runs().results.at("cases")) {
    if (entry.at("spec").at("study") != "right") continue;
    ++right;
    EXPECT_EQ(entry.at("status"), "ok") << entry.at("id") << "\n" << why_red(entry);
  }
  EXPECT_EQ(right, 9 * 4 * 2 * 2 + 4 * 2);
}

TEST(PlantedBugs, EachIsCaughtByTheInvariantThatNamesIt) {
  for (const PlantedBug& bug : planted_bugs()) {
    if (bug.how == Caught::suite) continue;
    for (const int world : worlds_of(bug)) {
      if (world >= bug.from_world) {
        EXPECT_FALSE(caught_message(bug, world).empty());
      } else {
        const json& entry = case_of(bug, world);
        EXPECT_EQ(entry.at("status"), "ok") << bug.bug << " in world " << world << "\n" << why_red(entry);
      }
    }
  }
}

TEST(PlantedBugs, WrongPlansAreRefusedBeforeAnythingRuns) {
  for (const PlantedBug& bug : planted_bugs())
    if (bug.how == Caught::suite) refusal(bug);
}

TEST(PlantedBugs, DocumentIsThatOfTheRun) { expect_document("docs/planted-bugs.md", document()); }
