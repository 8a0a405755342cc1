#include "draw/bars.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <sstream>

#include "draw/phases.hpp"
#include "draw/pictures.hpp"
#include "result/text_table.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(Bars, InAscii) {
  EXPECT_EQ(bars(small_picture(), {}),
            R"(training/zero3/gloo/small/world=2/unit=layer/adamw
  start               WWWWWWWWOOOOOOOOOOOOOOOO                        | 24,000
  forward of unit 0   WWWWWWWWWWWWWWWWOOOOOOOOOOOOOOOOAACC            | 36,000
  backward of unit 0  WWWWWWWWWWWWWWWWGGGGGGGGOOOOOOOOOOOOOOOOAAAATTTT| 48,000 < peak
  peak: 48,000 bytes on rank 1 of 2, in backward of unit 0; the law says 48,000
  alive then: weights 16,000, gradients 8,000, optimizer 16,000, activations 4,000, temporary 4,000
  W weights  G gradients  O optimizer  A activations  C communication  T temporary  | the law's peak
)");
}

TEST(Bars, InUnicode) {
  EXPECT_EQ(bars(small_picture(), {.unicode = true, .columns = 24}),
            R"(training/zero3/gloo/small/world=2/unit=layer/adamw
  start               ████▒▒▒▒▒▒▒▒            │ 24,000
  forward of unit 0   ████████▒▒▒▒▒▒▒▒░▚      │ 36,000
  backward of unit 0  ████████▓▓▓▓▒▒▒▒▒▒▒▒░░╱╱│ 48,000 ◂ peak
  peak: 48,000 bytes on rank 1 of 2, in backward of unit 0; the law says 48,000
  alive then: weights 16,000, gradients 8,000, optimizer 16,000, activations 4,000, temporary 4,000
  █ weights  ▓ gradients  ▒ optimizer  ░ activations  ▚ communication  ╱ temporary  │ the law's peak
)");
}

TEST(Bars, ColoursAreOnTopOfTheCharacters) {
  const std::string plain = bars(small_picture(), {});
  EXPECT_EQ(plain.find('\033'), std::string::npos);
  std::string text = bars(small_picture(), {.text = {.colour = true}});
  EXPECT_NE(text.find("\033[38;5;25mWWWWWWWW\033[0m\033[38;5;36mOOOOOOOOOOOOOOOO\033[0m"), std::string::npos);
  while (text.find('\033') != std::string::npos)
    text.erase(text.find('\033'), text.find('m', text.find('\033')) + 1 - text.find('\033'));
  EXPECT_EQ(text, plain) << "without its colours it is the same text";
}

TEST(Bars, AboveTheLawTheMarkIsInsideTheBar) {
  StepPicture picture = small_picture();
  picture.law = 40000;
  EXPECT_NE(bars(picture, {}).find("WWWWWWWWWWWWWWWWGGGGGGGGOOOOOOOOOOOOOOOO|AAATTTT  48,000 < peak"),
            std::string::npos)
      << bars(picture, {});
}

TEST(Bars, HaveNoMarkWithoutALaw) {
  StepPicture picture = small_picture();
  picture.law.reset();
  EXPECT_EQ(bars(picture, {}).find('|'), std::string::npos);
}

TEST(Bars, OfNoBytes) {
  StepPicture picture;
  picture.title = "empty";
  picture.bars = {{"start", {}, false}};
  EXPECT_NE(bars(picture, {}).find("  start"), std::string::npos);
}

TEST(Bars, AllLinesAreOfOneWidth) {
  StepPicture picture = small_picture();
  picture.bars[1].bytes = {333, 333, 333, 333, 333, 333};  // every part rounds
  std::istringstream lines(bars(picture, {.unicode = true}));
  std::string line;
  std::getline(lines, line);
  for (int i = 0; i < 3; ++i) {
    std::getline(lines, line);
    EXPECT_EQ(display_width(line.substr(0, line.find("│"))), 2U + 18 + 2 + 48) << line;
  }
}

TEST(Bars, Utf8IsWhatTheEnvironmentSays) {
  EXPECT_TRUE(names_utf8(nullptr, nullptr, "C.UTF-8"));
  EXPECT_TRUE(names_utf8("", "de_DE.utf8", "C"));
  EXPECT_TRUE(names_utf8("en_US.UTF-8", "C", "C"));
  EXPECT_FALSE(names_utf8("C", "en_US.UTF-8", "en_US.UTF-8")) << "LC_ALL comes first";
  EXPECT_FALSE(names_utf8(nullptr, nullptr, nullptr));
  EXPECT_FALSE(names_utf8(nullptr, nullptr, "de_DE.ISO-8859-1"));
}

TEST(PhasesReport, HasTheTableAndAPictureForEachCase) {
  const std::string text = phases_report({case_with_phases(), good_pipeline()}, {});
  EXPECT_TRUE(text.starts_with("Inside the step: bytes alive at its peak, by role\n")) << text;
  EXPECT_NE(text.find("\n\nzero2-w2\n  loss "), std::string::npos) << text;
  CaseResult none = good_training();
  none.launches.clear();
  EXPECT_EQ(phases_report({none}, {}), "");
}
