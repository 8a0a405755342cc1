#include "history/history_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fstream>
#include <set>

#include "compare/runs.hpp"
#include "history/baseline.hpp"
#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

RecordedRun run_at(const std::string& started, const std::string& commit = "abc") {
  RecordedRun run = recorded_run({recorded_case("a", {100, 100}, steady)});
  run.started = started;
  run.environment.commit = commit;
  return run;
}

}  // namespace

TEST(HistoryFolder, ReadsRunsFromTheOldestOn) {
  const TemporaryFolder root;
  const auto folder = root.path() / "nights";
  const auto file = add_to_history(folder, run_at("2026-07-02T00:00:00Z"));
  add_to_history(folder, run_at("2026-07-01T00:00:00Z"));
  add_to_history(folder, run_at("2026-07-01T00:00:00Z"));  // the same second
  EXPECT_THAT(file.filename().string(), ::testing::MatchesRegex("20260702T000000Z-s-[0-9a-f]+\\.json"));
  const History history = read_history(folder);
  ASSERT_EQ(history.runs.size(), 3u);
  EXPECT_EQ(history.runs[0].started, "2026-07-01T00:00:00Z");
  EXPECT_EQ(history.runs[2].file, file);
  EXPECT_TRUE(history.damaged.empty());
  for (const auto& entry : fs::directory_iterator(folder))  // nothing is left over
    EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
}

TEST(HistoryFolder, ADamagedFileIsNamedAndSkipped) {
  const TemporaryFolder root;
  const auto good = add_to_history(root.path(), run_at("2026-07-02T00:00:00Z"));
  const auto cut = add_to_history(root.path(), run_at("2026-07-03T00:00:00Z"));
  fs::resize_file(cut, fs::file_size(cut) / 2);
  std::ofstream(root.path() / "notes.txt") << "not a run";
  const History history = read_history(root.path());
  ASSERT_EQ(history.runs.size(), 1u);
  EXPECT_EQ(history.runs[0].file, good);
  ASSERT_EQ(history.damaged.size(), 1u);
  EXPECT_EQ(history.damaged[0].file, cut);
  EXPECT_THAT(history.damaged[0].problem, HasSubstr("this file of the history is damaged"));
}

TEST(HistoryFolder, RunsMayAddAtTheSameTime) {
  const TemporaryFolder root;
  constexpr int writers = 8, each = 10;
  std::set<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0; i < each; ++i) add_to_history(root.path(), run_at("2026-07-01T00:00:00Z"));
      ::_exit(0);
    }
    children.insert(child);
  }
  for (int reads = 0; reads < 20; ++reads) EXPECT_TRUE(read_history(root.path()).damaged.empty());
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_history(root.path()).runs.size(), static_cast<std::size_t>(writers * each));
}

TEST(HistoryFolder, SaysThatThereIsNone) {
  const TemporaryFolder root;
  EXPECT_THROW(read_history(root.path() / "missing"), Error);
  std::ofstream(root.path() / "file") << "x";
  EXPECT_THROW(add_to_history(root.path() / "file", run_at("2026-07-01T00:00:00Z")), Error);
}

TEST(Baseline, IsTheLastGreenRunOfThisMachine) {
  const TemporaryFolder root;
  const RecordedRun now = run_at("2026-07-09T00:00:00Z");
  EXPECT_EQ(find_baseline({}, now).reason, "the history has no runs yet");
  add_to_history(root.path(), run_at("2026-07-01T00:00:00Z", "old"));
  add_to_history(root.path(), run_at("2026-07-02T00:00:00Z", "green"));
  RecordedRun other = run_at("2026-07-03T00:00:00Z", "other-machine");
  other.environment.cpu = "another";
  add_to_history(root.path(), other);
  RecordedRun red = run_at("2026-07-04T00:00:00Z", "red");
  red.cases[0].status = Status::failed;
  add_to_history(root.path(), red);
  RecordedRun cut = run_at("2026-07-05T00:00:00Z", "cut");
  cut.finished.clear();
  add_to_history(root.path(), cut);
  RecordedRun slower = run_at("2026-07-06T12:00:00Z");
  slower.regressed = true;
  add_to_history(root.path(), slower);
  RecordedRun planted = run_at("2026-07-06T00:00:00Z", "planted");
  planted.injected = "byte=1";
  add_to_history(root.path(), planted);
  RecordedRun some_cases = run_at("2026-07-06T18:00:00Z", "some-cases");
  some_cases.filter = "world=2";
  add_to_history(root.path(), some_cases);
  RecordedRun suite = run_at("2026-07-07T00:00:00Z", "suite");
  suite.suite = "another";
  add_to_history(root.path(), suite);
  const Baseline found = find_baseline(read_history(root.path()), now);
  ASSERT_TRUE(found.run);
  EXPECT_EQ(found.run->environment.commit, "green");
  RecordedRun same_cases = now;
  same_cases.filter = "world=2";
  EXPECT_EQ(find_baseline(read_history(root.path()), same_cases).run.value().environment.commit, "some-cases");
  same_cases.filter = "world=4";
  EXPECT_EQ(find_baseline(read_history(root.path()), same_cases).reason,
            "the history has no green run of suite s with the filter world=4");
}

TEST(Baseline, SaysWhyThereIsNone) {
  const TemporaryFolder root;
  const RecordedRun now = run_at("2026-07-09T00:00:00Z");
  RecordedRun red = run_at("2026-07-04T00:00:00Z");
  red.cases[0].status = Status::failed;
  add_to_history(root.path(), red);
  EXPECT_EQ(find_baseline(read_history(root.path()), now).reason, "the history has no green run of suite s");
  RecordedRun other = run_at("2026-07-03T00:00:00Z");
  other.environment.cpu = "another";
  add_to_history(root.path(), other);
  EXPECT_EQ(find_baseline(read_history(root.path()), now).reason,
            "the history has no green run of suite s with this fingerprint: cpu is another in the base, but a "
            "processor now");
}
