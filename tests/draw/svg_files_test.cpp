#include "draw/svg_files.hpp"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>

#include "draw/pictures.hpp"
#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace fs = std::filesystem;

TEST(SvgFiles, AreNamedByTheCase) {
  EXPECT_EQ(svg_file_name("study/training/zero3/gloo/m.1/world=2"), "study_training_zero3_gloo_m.1_world=2.svg");
  EXPECT_EQ(svg_file_name("../../etc/passwd"), "_._.._etc_passwd.svg") << "stays in the folder";
  EXPECT_EQ(svg_file_name(std::string(500, 'a')), std::string(200, 'a') + ".svg");
}

TEST(SvgFiles, OnePerCaseThatHasPhases) {
  const TemporaryFolder folder;
  CaseResult same = case_with_phases(), none = case_with_phases();
  none.launches.clear();
  EXPECT_EQ(write_svg_files({case_with_phases(), same, none}, folder.path() / "new/pictures"), 2U);
  const std::string text = contents(folder.path() / "new/pictures/zero2-w2.svg");
  EXPECT_TRUE(text.starts_with("<svg "));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_TRUE(fs::exists(folder.path() / "new/pictures/2-zero2-w2.svg")) << "no file takes the place of another";
}

TEST(SvgFiles, AFolderThatCannotBeMadeIsAnError) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  try {
    write_svg_files({case_with_phases()}, folder.path() / "file");
    FAIL() << "wrote into a file";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), (folder.path() / "file").string());
    EXPECT_EQ(e.cure(), "name another folder for --svg");
  }
}
