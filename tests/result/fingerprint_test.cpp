#include "result/fingerprint.hpp"

#include <gtest/gtest.h>
#include <fstream>
#include <sstream>

#include "result/run_info.hpp"
#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;

TEST(Fingerprint, Sha1OfTheStandardsExample) {
  EXPECT_EQ(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");  // FIPS 180-4
  EXPECT_EQ(sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(Fingerprint, ReadsTheKernelsAndDistributionsTexts) {
  std::istringstream cpuinfo("processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nmodel name\t: other\n"),
      none("processor: 0\n");
  EXPECT_EQ(cpu_model(cpuinfo), "Some CPU @ 2.00GHz");
  EXPECT_EQ(cpu_model(none), "");
  std::istringstream release("NAME=\"x\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
      bare("PRETTY_NAME=Void\n");
  EXPECT_EQ(distribution_name(release), "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(distribution_name(bare), "Void");
}

TEST(Fingerprint, RecordsOnlyNamedVariables) {
  const char* const entries[] = {"OMP_NUM_THREADS=1", "HOME=/root",  "MKL_X=", "OMPI_MCA_btl=self,tcp",
                                 "GLOO_A=b=c",        "SECRET=OMP_", nullptr};
  const std::map<std::string, std::string> expected = {
      {"OMP_NUM_THREADS", "1"}, {"MKL_X", ""}, {"OMPI_MCA_btl", "self,tcp"}, {"GLOO_A", "b=c"}};
  EXPECT_EQ(recorded_variables(entries), expected);
}

TEST(Fingerprint, OfThisMachineIsComplete) {
  const Environment e = collect_environment();
  EXPECT_FALSE(e.cpu.empty());
  EXPECT_GE(e.cores, 1);
  EXPECT_TRUE(e.kernel.starts_with("Linux ")) << e.kernel;
  EXPECT_FALSE(e.distribution.empty());
  EXPECT_FALSE(e.compiler.empty());
  EXPECT_EQ(e.core_version, "0.1.0");
  EXPECT_FALSE(e.commit.empty());
  EXPECT_EQ(e.digest(), collect_environment().digest());
}

TEST(Fingerprint, TheDigestDiffersWithEveryPart) {
  const Environment e;
  Environment other = e;
  other.plugins.push_back({"comm", "gloo", "1", "comm_gloo.so", sha1("a")});
  EXPECT_NE(e.digest(), other.digest());
  Environment same_name = other;
  same_name.plugins[0].sha1 = sha1("b");
  EXPECT_NE(other.digest(), same_name.digest());
  Environment libraries = e;
  libraries.libraries["LibTorch"] = "2.13.0";
  EXPECT_NE(e.digest(), libraries.digest());
}

TEST(Fingerprint, MoreRanksThanCoresAreOversubscribed) {
  Environment e;
  EXPECT_FALSE(e.oversubscribed(4));
  e.cores = 2;
  EXPECT_FALSE(e.oversubscribed(2));
  EXPECT_TRUE(e.oversubscribed(3));
}

TEST(Fingerprint, APluginThatCannotBeReadIsAnError) {
  EXPECT_THROW(plugin_file("comm", "gloo", "1", "/no/such/file.so"), Error);
  EXPECT_THROW(plugin_file("comm", "gloo", "1", "/proc"), Error);
  const auto file = plugin_file("comm", "gloo", "1", "/proc/self/cmdline");
  EXPECT_EQ(file.sha1.size(), 40u);
}

TEST(Fingerprint, ACopyOfAPluginIsKeptByItsContent) {
  const shardbench::testing::TemporaryFolder root;
  const auto source = root.path() / "mine.so", folder = root.path() / "kept";
  for (const char* content : {"one", "two", "one"}) {
    std::ofstream(source) << content;
    keep_plugin(plugin_file("comm", "mine", "1", source), source, folder);
  }
  EXPECT_EQ(shardbench::testing::contents(folder / sha1("one") / "mine.so"), "one");
  EXPECT_EQ(shardbench::testing::contents(folder / sha1("two") / "mine.so"), "two");
  EXPECT_THROW(keep_plugin(plugin_file("comm", "mine", "1", source), source, "/proc/no"), Error);
}

TEST(RunInfo, TimesAreUtc) {
  const std::chrono::system_clock::time_point time{std::chrono::seconds{1785420309}};
  EXPECT_EQ(utc_text(time), "2026-07-30T14:05:09Z");
  EXPECT_EQ(utc_compact(time), "20260730T140509Z");
}
