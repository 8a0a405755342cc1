#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "suite/problems.hpp"
#include "suite/reference.hpp"
#include "suite/support.hpp"

namespace shardbench {
namespace {

/// Pieces that mean something in a suite, or too much.
constexpr std::array pieces = {"=",
                               "[",
                               "]",
                               "[[",
                               "]]",
                               "{",
                               "}",
                               "\"",
                               "'",
                               "\n",
                               ",",
                               ".",
                               "#",
                               "-1",
                               "0",
                               "1e400",
                               "nan",
                               "inf",
                               "true",
                               "world",
                               "2147483648",
                               "65536",
                               "none",
                               "\xff",
                               "\xc3\xa9",
                               "\\u0000",
                               "[[training]]",
                               "9223372036854775807",
                               "[1, 2, 3]",
                               "\"zero1\"",
                               "options = { partition = \"flat\" }\n",
                               "horizon = [3]\n",
                               "layers = 9999\n",
                               "widths = [2147483647, 1]\n",
                               "1979-05-27T07:32:00Z"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t change = 0, changes = 1 + below(4); change < changes && !text.empty(); ++change) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(20));
    switch (below(5)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, pieces[below(pieces.size())]); break;
      case 3: text.insert(below(text.size()), text.substr(at, length)); break;
      default: text.replace(at, length, pieces[below(pieces.size())]); break;
    }
  }
  return text;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::filesystem::path suites_folder() { return std::filesystem::path(SUITES_FOLDER).lexically_normal(); }

void expect_places(const SuiteErrors& errors, const std::string& folder) {
  ASSERT_FALSE(errors.problems().empty());
  for (const auto& problem : errors.problems()) {
    ASSERT_TRUE(problem.where().starts_with(folder)) << problem.what();
    ASSERT_FALSE(problem.problem().empty() || problem.cure().empty()) << problem.what();
  }
}

/// A changed suite is either a whole suite, or an error that says where; never a crash, and nothing else is thrown.
void try_suites(const std::string& text, const std::filesystem::path& file, unsigned seed, int tries) {
  std::mt19937 random(seed);
  int taken = 0;
  for (int i = 0; i < tries; ++i) {
    const std::string changed = mutated(text, random);
    SCOPED_TRACE(changed);
    try {
      const Suite suite = parse_suite(changed, file, test_catalogue());
      ASSERT_FALSE(suite.cases.empty());
      for (const auto& c : suite.cases) ASSERT_FALSE(c.id.empty());
      ++taken;
    } catch (const SuiteErrors& errors) {
      expect_places(errors, suites_folder().string());
    }
  }
  EXPECT_GT(taken, tries / 50);
  EXPECT_LT(taken, tries / 2);
}

class MutatedSuite : public testing::TestWithParam<const char*> {};

TEST_P(MutatedSuite, IsASuiteOrAnErrorWithAPlace) {
  const std::filesystem::path file = suites_folder() / GetParam();
  try_suites(text_of(file), file, 313, 3000);
}

TEST(MutatedReference, GivesExpectationsOrAnErrorWithAPlace) {
  const Suite suite = load_suite(suites_folder() / "notebook-3.13.toml", test_catalogue());
  const std::string text = text_of(suite.reference_file);
  const auto file = std::filesystem::path(testing::TempDir()) / "shardbench_mutated_reference.toml";
  std::mt19937 random(313);
  for (int i = 0; i < 500; ++i) {
    const std::string changed = mutated(text, random);
    SCOPED_TRACE(changed);
    std::ofstream(file, std::ios::binary) << changed;
    Problems problems;
    try {
      load_reference(file, suite.cases, true, problems);
      problems.throw_if_any(file.string());
    } catch (const SuiteErrors& errors) {
      expect_places(errors, file.string());
    }
  }
  std::filesystem::remove(file);
}

std::string name_of_file(const testing::TestParamInfo<const char*>& file) {
  return std::string(file.param).substr(0, 5);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, MutatedSuite, testing::Values("notebook-3.13.toml", "smoke.toml"), name_of_file);

}  // namespace
}  // namespace shardbench
