#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class Phases : public ::testing::Test {
 protected:
  Ended run(const std::string& first_line, const std::vector<std::string>& more, const std::string& lang = "C") {
    const auto file =
        testing::write_file(folder_.path() / "a.toml", first_line + testing::tiny_suite + testing::ddp_case("one"));
    std::vector<std::string> words = {"run", file};
    words.insert(words.end(), more.begin(), more.end());
    return testing::run_program(words, folder_.path(), {{"LC_ALL", lang}});
  }
  testing::TemporaryFolder folder_;
};

TEST_F(Phases, AreNotShownUnlessAskedFor) {
  const Ended ended = run("", {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(Not(HasSubstr("Inside the step")), HasSubstr("\nLaw deviations: ")));
}

TEST_F(Phases, AreShownForTheSuiteThatAsks) {
  const Ended ended = run("phases = true\n", {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Inside the step: bytes alive at its peak, by role\n"),
                               HasSubstr("\n  backward of unit 0  WW"),
                               HasSubstr("alive then: weights 88, gradients 88, "), Not(HasSubstr("█"))));
}

TEST_F(Phases, AreShownForTheFlagInTheTerminalsCharacters) {
  EXPECT_THAT(run("", {"--phases"}, "C.UTF-8").out, HasSubstr("\n  backward of unit 0  ██"));
}

TEST_F(Phases, GoIntoOneSvgFilePerCase) {
  const Ended ended = run("", {"--svg", "pictures"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("pictures: 1 in pictures\n"));
  const auto file = folder_.path() / "pictures" / "one_training_ddp_gloo_tiny_world=2_unit=root_adamw.svg";
  ASSERT_TRUE(fs::exists(file));
  EXPECT_THAT(testing::contents(file), AllOf(HasSubstr("<svg "), HasSubstr(">the law: ")));
}

}  // namespace
}  // namespace shardbench
