#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;

class Predict : public ::testing::Test {
 protected:
  Ended run(std::vector<std::string> words) {
    words.insert(words.begin(), "predict");
    return testing::run_program(words, folder_.path());
  }
  testing::TemporaryFolder folder_;
};

/// Rajbhandari et al., ZeRO, SC 2020, Figure 1: 120, 31.4, 16.6 and 1.9 GB.
TEST_F(Predict, TheZeroPapersTable) {
  const Ended ended = run({"--parameters", "7.5e9", "--ranks", "64", "--units", "32", "--memory", "80GB"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(
      ended.out,
      R"(Bytes per rank: 7,500,000,000 parameters on 64 ranks, adamw, mixed (2 + 2 + 12 bytes per parameter), 32 units
  strategy         weights  gradients  optimizer state   at rest  in the step  sent per step  fits 80.0 GB  that is
  ddp              15.0 GB    15.0 GB          90.0 GB  120.0 GB     120.0 GB        29.5 GB  no            whole copies
  zero1 (greedy)   15.0 GB    15.0 GB           1.4 GB   31.4 GB      31.4 GB        44.3 GB  yes           PyTorch's ZeroRedundancyOptimizer
  zero1 (flat)     15.0 GB    15.0 GB           1.4 GB   31.4 GB      31.4 GB        29.5 GB  yes           ZeRO paper, stage 1
  zero2 (paper)    15.0 GB   234.4 MB           1.4 GB   16.6 GB      17.1 GB        29.5 GB  yes           ZeRO paper, stage 2
  zero2           234.4 MB   234.4 MB           1.4 GB    1.9 GB      17.1 GB        29.5 GB  yes           FSDP's SHARD_GRAD_OP
  zero3           234.4 MB   234.4 MB           1.4 GB    1.9 GB       2.8 GB        44.3 GB  yes           ZeRO paper, stage 3; FSDP's FULL_SHARD
cheapest on the wire that fits 80.0 GB: zero2 (paper), which sends 29.5 GB per rank and step and has 17.1 GB in the step
1 GB is 1e9 bytes. Activations, the gradients of the layer at work and AdamW's step counters (4 bytes per tensor) come on top.
)");
}

TEST_F(Predict, OneStrategyInExactBytes) {
  const Ended ended = run({"--parameters", "526336", "--ranks", "4", "--precision", "float32", "--optimizer",
                           "momentum", "--strategy", "ddp", "--bytes"});
  EXPECT_THAT(ended.out, HasSubstr("  ddp       2,105,344  2,105,344        2,105,344  6,316,032    6,316,032      "
                                   "3,158,016  whole copies\n1 GB"));
}

TEST_F(Predict, TheLawsOfASuiteWithoutRunningIt) {
  const Ended ended = run({SHARDBENCH_SUITES "/notebook-3.13.toml"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out,
              HasSubstr("training/zero3/gloo/notebook/world=4/unit=root/adamw    526,336    526,336        1,052,676  "
                        "2,105,348  6,348,820      3,158,016\n"));
  EXPECT_THAT(ended.out,
              HasSubstr("pipeline/1f1b/gloo/pipeline-2x32/world=2/horizon=4                 2 / 1          1,024\n"));
  EXPECT_THAT(ended.out, HasSubstr("nothing was run.\n"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "results"));
}

TEST_F(Predict, RefusesWhatIsNoNumber) {
  const std::vector<std::vector<std::string>> bad = {{},
                                                     {"--ranks", "4"},
                                                     {SHARDBENCH_SUITES "/smoke.toml", "--parameters", "9"},
                                                     {"--parameters", "0", "--ranks", "4"},
                                                     {"--parameters", "many", "--ranks", "4"},
                                                     {"--parameters", "9", "--ranks", "0"},
                                                     {"--parameters", "9", "--ranks", "1", "--units", "10"},
                                                     {"--parameters", "9", "--ranks", "1", "--optimizer", "lion"},
                                                     {"--parameters", "9", "--ranks", "1", "--strategy", "zero4"}};
  for (const auto& words : bad) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_NE(ended.err, "");
  }
  EXPECT_THAT(run({"--parameters", "9", "--ranks", "1", "--memory", "80GX"}).err,
              AllOf(HasSubstr("'80GX' is no number of bytes"), HasSubstr("80GiB")));
}

}  // namespace
}  // namespace shardbench
