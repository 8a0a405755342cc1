#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "suite/reference.hpp"
#include "suite/support.hpp"

namespace shardbench {
namespace {

const std::string head = "schema = 1\nsource = \"a run\"\n";
const std::string first = "case = \"training/ddp/gloo/m/world=2/unit=root/adamw\"\n";

/// What a reference of a two-rank ddp case says, or its message.
class Reference : public testing::Test {
 protected:
  Reference() : cases_(parse(training({.strategy = "[\"ddp\", \"zero1\"]"})).cases) {
    file_ = std::filesystem::path(testing::TempDir()) /
            (std::string("shardbench_reference_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  ~Reference() override { std::filesystem::remove(file_); }

  std::vector<Expectation> load(const std::string& text) const {
    std::ofstream(file_) << text;
    Problems problems;
    auto expectations = load_reference(file_, cases_, true, problems);
    problems.throw_if_any(file_.string());
    return expectations;
  }

  void expect_problem(const std::string& text, const std::string& problem, const std::string& place,
                      const std::string& cure) const {
    try {
      load(text);
      ADD_FAILURE() << "the reference was taken";
    } catch (const SuiteErrors& errors) {
      const std::string where = file_.string() + (place.empty() ? "" : ":" + place);
      EXPECT_EQ(std::string(errors.what()), Error(problem, where, cure).what());
    }
  }

  std::vector<Case> cases_;
  std::filesystem::path file_;
};

TEST_F(Reference, GivesOneExpectationPerCaseAndQuantity) {
  const auto expectations =
      load(head +
           "[[expect]]\ncase = [\"training/ddp/gloo/m/world=2/unit=root/adamw\", "
           "\"training/zero1/gloo/m/world=2/unit=root/adamw\"]\nweights_bytes = 1\npeak_bytes = 2\n"
           "[[expect]]\n" +
           first + "rank = 1\nsource = \"a formula\"\nsaved_peak = 9007199254740992\n");
  ASSERT_EQ(expectations.size(), 5U);
  EXPECT_EQ(expectations[0].case_id, "training/ddp/gloo/m/world=2/unit=root/adamw");
  EXPECT_EQ(expectations[0].quantity, "weights_bytes");
  EXPECT_EQ(expectations[0].value, 1);
  EXPECT_EQ(expectations[0].rank, std::nullopt);
  EXPECT_EQ(expectations[0].source, "a run");
  EXPECT_EQ(expectations[1].case_id, "training/zero1/gloo/m/world=2/unit=root/adamw");
  EXPECT_EQ(expectations[2].quantity, "peak_bytes");
  EXPECT_EQ(expectations[2].value, 2);
  EXPECT_EQ(expectations[2].place.text(), file_.string() + ":6:14");
  EXPECT_EQ(expectations[4].rank, 1);
  EXPECT_EQ(expectations[4].source, "a formula");
  EXPECT_EQ(expectations[4].value, 9007199254740992.0);
}

TEST_F(Reference, TakesEveryQuantity) {
  for (const auto& quantity : reference_quantities()) {
    const Expectation taken = load(head + "[[expect]]\n" + first + quantity + " = 0\n").at(0);
    EXPECT_EQ(taken.quantity + (taken.at_most ? "_at_most" : ""), quantity);
  }
}

TEST_F(Reference, UnknownQuantity) {
  expect_problem(head + "[[expect]]\n" + first + "weights_bytes = 1\nweigths_byte = 1\n",
                 "unknown key \"weigths_byte\" in [[expect]]", "6:1",
                 "did you mean \"weights_bytes\"? allowed: case, rank, source, weights_bytes, gradients_bytes, "
                 "optimizer_bytes, total_bytes, saved_peak, saved_peak_bytes, saved_total, saved_consumed, "
                 "saved_before_first_use, peak_bytes, sent_bytes, machine_total_bytes, peak_bytes_at_most");
}

TEST_F(Reference, AStarStandsForAnyPartOfAnId) {
  const auto all = load(head + "[[expect]]\ncase = \"training/*/*/m/world=2/unit=root/adamw\"\ntotal_bytes = 8\n");
  ASSERT_GT(all.size(), 1u);
  EXPECT_EQ(all[0].case_id, "training/ddp/gloo/m/world=2/unit=root/adamw");
  EXPECT_EQ(all[1].case_id, "training/zero1/gloo/m/world=2/unit=root/adamw");
  expect_problem(
      head + "[[expect]]\ncase = \"training/*/m/world=2/unit=root/adamw\"\ntotal_bytes = 1\n",
      "case is \"training/*/m/world=2/unit=root/adamw\", but the suite has no case of that id", "4:8",
      "did you mean \"training/ddp/gloo/m/world=2/unit=root/adamw\"? `shardbench run --dry-run` prints the ids");
}

TEST_F(Reference, UnknownCase) {
  expect_problem(
      head + "[[expect]]\ncase = \"training/zero1/gloo/m/world=2/unit=rot/adamw\"\ntotal_bytes = 1\n",
      "case is \"training/zero1/gloo/m/world=2/unit=rot/adamw\", but the suite has no case of that id", "4:8",
      "did you mean \"training/zero1/gloo/m/world=2/unit=root/adamw\"? `shardbench run --dry-run` prints the "
      "ids");
}

TEST_F(Reference, NegativeNumber) {
  expect_problem(head + "[[expect]]\n" + first + "total_bytes = -8\n",
                 "expect.total_bytes is -8, but an integer from 0 to 9007199254740992 is needed", "5:15",
                 "set total_bytes = 0 or more");
}

TEST_F(Reference, FloatNumber) {
  expect_problem(head + "[[expect]]\n" + first + "total_bytes = 8.5\n",
                 "expect.total_bytes is 8.5 (a float), but an integer from 0 to 9007199254740992 is needed", "5:15",
                 "write total_bytes as an integer, without quotes or a point");
}

TEST_F(Reference, RankThatTheCaseDoesNotHave) {
  expect_problem(head + "[[expect]]\n" + first + "rank = 2\ntotal_bytes = 8\n",
                 "rank is 2, but case training/ddp/gloo/m/world=2/unit=root/adamw has 2 ranks", "5:8",
                 "set rank = 1 or less");
}

TEST_F(Reference, MachineTotalOfOneRank) {
  expect_problem(head + "[[expect]]\n" + first + "rank = 1\nmachine_total_bytes = 8\n",
                 "machine_total_bytes is of the whole case, but this [[expect]] is for one rank", "6:23",
                 "move it to an [[expect]] without rank");
}

TEST_F(Reference, SameNumberTwice) {
  expect_problem(
      head + "[[expect]]\n" + first + "total_bytes = 8\n[[expect]]\n" + first + "total_bytes = 9\n",
      "total_bytes of case \"training/ddp/gloo/m/world=2/unit=root/adamw\" is demanded twice, first at line 5", "8:15",
      "remove one of them");
}

TEST_F(Reference, WithoutCase) {
  expect_problem(head + "[[expect]]\ntotal_bytes = 8\n", "[[expect]] has no case", "3:1",
                 "set case = \"ID\" (`shardbench run --dry-run` prints the ids)");
}

TEST_F(Reference, WithoutQuantity) {
  expect_problem(head + "[[expect]]\n" + first, "[[expect]] demands nothing", "3:1",
                 "name one of: weights_bytes, gradients_bytes, optimizer_bytes, total_bytes, saved_peak, "
                 "saved_peak_bytes, saved_total, saved_consumed, saved_before_first_use, peak_bytes, sent_bytes, "
                 "machine_total_bytes, peak_bytes_at_most");
}

TEST_F(Reference, WithoutExpect) {
  expect_problem(head, "the reference file demands nothing", "", "add an [[expect]] table, or do not name the file");
}

TEST_F(Reference, WithoutSource) {
  expect_problem("schema = 1\n[[expect]]\n" + first + "total_bytes = 8\n", "the reference file has no source", "",
                 "set source = \"where its numbers come from\"");
}

TEST_F(Reference, OfAnotherSchema) {
  expect_problem("schema = 3\n", "schema is 3, but this version of Shardbench reads schema 1", "1:10",
                 "set schema = 1 and follow docs/suites.md, or use a version that reads schema 3");
}

TEST_F(Reference, OfNoSchema) {
  expect_problem("source = \"a run\"\n[[expect]]\n" + first + "total_bytes = 8\n",
                 "the reference file has no schema, but schema = 1 is needed", "",
                 "write schema = 1 in its first line");
}

TEST_F(Reference, ThatIsNotToml) {
  expect_problem("schema =\n", "not valid TOML: Error while parsing key-value pair: expected value, saw '\\n'", "1:9",
                 "correct the syntax (https://toml.io/en/v1.0.0)");
}

}  // namespace
}  // namespace shardbench
