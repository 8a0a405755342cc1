#include "suite/broken_suite.hpp"

namespace shardbench {
namespace {

TEST_P(BrokenSuite, SaysWhatIsWrongWhereAndWhatToDo) {
  const Broken& broken = GetParam();
  const std::string where = "suite.toml" + (broken.where.empty() ? "" : ":" + broken.where);
  try {
    parse(broken.text);
    FAIL() << "the suite was taken";
  } catch (const SuiteErrors& errors) {
    ASSERT_EQ(errors.problems().size(), 1U) << errors.what();
    EXPECT_EQ(errors.what(), std::string(Error(broken.problem, where, broken.cure).what()));
  }
}

}  // namespace
}  // namespace shardbench
