#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "result/launch_ratio.hpp"
#include "result/tables.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

/// A case whose launches have these medians, in microseconds.
CaseResult timed(Collective operation, const std::string& backend, std::uint64_t bytes, const std::vector<double>& us) {
  CaseResult result = good_collective(static_cast<int>(us.size()), operation);
  result.spec.backend = backend;
  result.spec.bytes = bytes;
  for (std::size_t l = 0; l < us.size(); ++l)
    result.launches[l].samples = {{us[l] * 1e-6, {{us[l] * 1e-6, 0, 0, 0, 0}, {us[l] * 0.9e-6, 0, 0, 0, 0}}}};
  return result;
}

LaunchRatio ratio_of(const std::vector<double>& us, const std::vector<double>& base) {
  return launch_ratio(timed(Collective::all_reduce, "a", 8, us), timed(Collective::all_reduce, "b", 8, base)).value();
}

}  // namespace

TEST(LaunchRatio, IsOfTheMediansWithTheSpreadOfTheLaunches) {
  const LaunchRatio r = ratio_of({50, 40, 60}, {100, 90, 120});
  EXPECT_DOUBLE_EQ(r.ratio, 0.5);
  EXPECT_DOUBLE_EQ(r.least, 40.0 / 120);
  EXPECT_DOUBLE_EQ(r.most, 60.0 / 90);
  EXPECT_FALSE(r.same());
  EXPECT_FALSE(r.slower());
  EXPECT_EQ(text(r), "0.50 (0.33 to 0.67)");
  EXPECT_TRUE(ratio_of({100, 90, 120}, {50, 40, 60}).slower());
}

TEST(LaunchRatio, IsNoDifferenceWithinTheNoise) {
  EXPECT_EQ(text(ratio_of({114, 114}, {100, 100})), "no difference (1.14)");
  EXPECT_EQ(text(ratio_of({116, 116}, {100, 100})), "1.16 (1.16 to 1.16)");
  EXPECT_EQ(text(ratio_of({100, 100}, {114, 114})), "no difference (0.88)");
}

TEST(LaunchRatio, IsNoDifferenceWhereTheLaunchesOverlap) {
  EXPECT_EQ(text(ratio_of({200, 90, 210}, {100, 95, 105})), "no difference (2.00)");
  EXPECT_FALSE(ratio_of({200, 90, 210}, {100, 95, 105}).slower());
}

TEST(LaunchRatio, OfOneLaunchHasNoSpreadAndIsNoVerdict) {
  EXPECT_EQ(text(ratio_of({200}, {100, 110})), "1.90 (1 launch)");
  EXPECT_FALSE(ratio_of({200}, {100, 110}).slower());
}

TEST(LaunchRatio, NeedsSamples) {
  CaseResult nothing = timed(Collective::all_reduce, "a", 8, {1});
  nothing.launches.clear();
  EXPECT_FALSE(launch_ratio(nothing, timed(Collective::all_reduce, "b", 8, {1})));
}

TEST(CollectiveTables, SetBackendsSideBySideAndSayWhatIsSlowerThanItMayBe) {
  std::vector<CaseResult> results = {timed(Collective::all_reduce, "gloo", 65536, {100, 102}),
                                     timed(Collective::all_reduce, "mpi", 65536, {50, 52}),
                                     timed(Collective::all_reduce, "gloo", 8, {10, 12}),
                                     timed(Collective::all_reduce, "mpi", 8, {11, 12}),
                                     timed(Collective::reduce_scatter, "gloo", 65536, {60, 62}),
                                     timed(Collective::reduce_scatter, "mpi", 65536, {90, 92}),
                                     timed(Collective::reduce_scatter_all_gather, "gloo", 65536, {80, 81}),
                                     timed(Collective::barrier, "gloo", 0, {9, 11})};
  results[3].spec.backend_options = {{"transport", "tcp"}};
  EXPECT_EQ(tables(results, {}),
            R"(Collective: all_reduce
  world  bytes  backend  options        transport  wait mode    algorithm  p50 us  min us  p99 us  skew us  busbw MB/s  time over the first   slower than
      2  64KiB  gloo                    tcp on lo  sync, block  ring        101.0   100.0   102.0     10.1       648.9                        reduce_scatter_all_gather, 1.25 x
      2  64KiB  mpi                     tcp on lo  sync, block  ring         51.0    50.0    52.0      5.1      1285.0  0.50 (0.49 to 0.52)
      2     8B  gloo                    tcp on lo  sync, block  ring         11.0    10.0    12.0      1.1         0.7
      2     8B  mpi      transport=tcp  tcp on lo  sync, block  ring         11.5    11.0    12.0      1.1         0.7  no difference (1.05)

Collective: reduce_scatter
  world  bytes  backend  transport  wait mode    algorithm  p50 us  min us  p99 us  skew us  busbw MB/s  time over the first  slower than
      2  64KiB  gloo     tcp on lo  sync, block  ring         61.0    60.0    62.0      6.1       537.2
      2  64KiB  mpi      tcp on lo  sync, block  ring         91.0    90.0    92.0      9.1       360.1  1.49 (1.45 to 1.53)  all_reduce, 1.78 x

Collective: reduce_scatter_all_gather
  world  bytes  backend  transport  wait mode    algorithm  p50 us  min us  p99 us  skew us  busbw MB/s
      2  64KiB  gloo     tcp on lo  sync, block  ring         80.5    80.0    81.0      8.0       814.1

Collective: barrier
  world  backend  transport  wait mode    algorithm  p50 us  min us  p99 us  skew us  busbw MB/s
      2  gloo     tcp on lo  sync, block  ring         10.0     9.0    11.0      1.0           -

Law deviations: measured against predicted, over all ranks
  law   cases  largest deviation  unit   of the law
  sent      8                  0  bytes     0.000 %

8 cases: 8 ok; 0 invariants passed, 0 failed, 0 not run
)");
}
