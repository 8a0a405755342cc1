#include "result/tables.hpp"

#include <gtest/gtest.h>
#include <algorithm>

#include "check/good_case.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

/// A training case with these bytes per rank.
CaseResult at_rest(std::string strategy, int world, std::uint64_t weights, std::uint64_t gradients,
                   std::uint64_t optimizer) {
  CaseResult result = good_training(world);
  result.spec.strategy = std::move(strategy);
  result.spec.id = result.spec.strategy + "-w" + std::to_string(world);
  for (auto& r : result.launches[0].ranks) {
    r.weights_bytes = r.law.weights = weights;
    r.gradients_bytes = r.law.gradients = gradients;
    r.optimizer_bytes = r.law.optimizer = optimizer;
  }
  result.invariants = {{"a", Verdict::passed, ""}, {"b", Verdict::not_run, "no"}};
  return result;
}

std::vector<CaseResult> notebook() {
  return {at_rest("ddp", 2, 2105344, 2105344, 4210752), at_rest("zero3", 2, 1052672, 1052672, 2105348),
          at_rest("ddp", 4, 2105344, 2105344, 4210752), good_pipeline()};
}

}  // namespace

TEST(Tables, AreTheNotebooks) {
  EXPECT_EQ(tables(notebook(), {}),
            R"(Bytes per rank: at-rest, mlp (8 layers, 526,336 parameters)
  strategy  world  unit    weights  gradients  optimizer state      total  in multiples of P  predicted total       peak  predicted peak  sent per step
  ddp           2  root  2,105,344  2,105,344        4,210,752  8,421,440             4.00 P        8,421,440  7,000,000       7,000,000      2,105,344
  zero3         2  root  1,052,672  1,052,672        2,105,348  4,210,692             2.00 P        4,210,692  7,000,000       7,000,000      2,105,344
  ddp           4  root  2,105,344  2,105,344        4,210,752  8,421,440             4.00 P        8,421,440  7,000,000       7,000,000      2,105,344

Bytes of the whole machine at rest, by world: at-rest, mlp (8 layers, 526,336 parameters)
  strategy  unit     world 2     world 4
  ddp       root  16,842,880  33,685,760
  zero3     root   8,421,384           -

Tensors saved for backward, rank by rank: activations, stages (2 layers, 2,112 parameters)
  schedule  world  horizon  peak live     peak bytes   saved  consumed  saved before first use  in flight  activations bytes
  1f1b          2        2      4 / 5  2,048 / 6,144  4 / 10    4 / 10                   4 / 5      2 / 1      2,048 / 2,048

Time per step: at-rest, mlp (8 layers, 526,336 parameters)
  strategy  world  unit  backend  median ms  min ms  p90 ms  communication  launches  steps
  ddp           2  root  gloo         2.500   2.000   2.900           20 %         1      2
  zero3         2  root  gloo         2.500   2.000   2.900           20 %         1      2
  ddp           4  root  gloo         2.500   2.000   2.900           20 %         1      2

Time per step: activations, stages (2 layers, 2,112 parameters)
  schedule  world  horizon  backend  median ms  min ms  p90 ms  communication  launches  steps
  1f1b          2        2  gloo         1.000   1.000   1.000           40 %         1      1

Law deviations: measured against predicted, over all ranks
  law          cases  largest deviation  unit          of the law
  at rest          4                  0  bytes            0.000 %
  peak             4                  0  bytes            0.000 %
  sent             4                  0  bytes            0.000 %
  in flight        1                  0  microbatches     0.000 %
  saved peak       1                  0  bytes            0.000 %
  activations      1                  0  bytes            0.000 %

4 cases: 4 ok; 3 invariants passed, 0 failed, 3 not run
)");
}

TEST(Tables, FailuresAreToldInFullAndInRed) {
  std::vector<CaseResult> results = {notebook()[0], notebook()[1]};
  results[0].status = Status::failed;
  results[0].invariants.push_back(
      {"rest_equals_law", Verdict::failed, "rank 1: weights: 8 bytes, but the law says 12 bytes (4 less)"});
  results[1].spec.options = {{"partition", "flat"}};
  results[1].status = Status::crashed;
  results[1].launches.clear();
  results[1].detail = "rank 1 was killed by signal 9\n  where: all_reduce #12, for 3.1 s";
  results[1].invariants = {{"rest_equals_law", Verdict::not_run, "the case crashed"}};
  EXPECT_EQ(tables(results, {}),
            R"(Bytes per rank: at-rest, mlp (8 layers, 526,336 parameters)
  strategy  world  unit  options           weights  gradients  optimizer state      total  in multiples of P  predicted total       peak  predicted peak  sent per step  status
  ddp           2  root                  2,105,344  2,105,344        4,210,752  8,421,440             4.00 P        8,421,440  7,000,000       7,000,000      2,105,344  failed
  zero3         2  root  partition=flat          -          -                -          -                  -                -          -               -              -  crashed

Time per step: at-rest, mlp (8 layers, 526,336 parameters)
  strategy  world  unit  options         backend  median ms  min ms  p90 ms  communication  launches  steps  status
  ddp           2  root                  gloo         2.500   2.000   2.900           20 %         1      2  failed
  zero3         2  root  partition=flat  gloo             -       -       -              -         0      0  crashed

Law deviations: measured against predicted, over all ranks
  law      cases  largest deviation  unit   of the law
  at rest      1                  0  bytes     0.000 %
  peak         1                  0  bytes     0.000 %
  sent         1                  0  bytes     0.000 %

What is wrong
  failed: ddp-w2
    rest_equals_law: rank 1: weights: 8 bytes, but the law says 12 bytes (4 less)
  crashed: zero3-w2
    rank 1 was killed by signal 9
      where: all_reduce #12, for 3.1 s

2 cases: 0 ok, 1 failed, 1 crashed; 1 invariant passed, 1 failed, 2 not run
)");
  const std::string red = tables(results, {.colour = true});
  EXPECT_NE(red.find("\033[31mfailed: ddp-w2\033[0m"), std::string::npos);
  EXPECT_TRUE(
      red.ends_with("\033[31m2 cases: 0 ok, 1 failed, 1 crashed; 1 invariant passed, 1 failed, 2 not run\033[0m\n"));
  EXPECT_EQ(tables(notebook(), {.colour = true}), tables(notebook(), {})) << "nothing is red where all is well";
}

TEST(Tables, GroupByStudyAndModel) {
  std::vector<CaseResult> results = {notebook()[0], notebook()[1], notebook()[2]};
  results[1].spec.study = "other";
  const std::string text = tables(results, {});
  EXPECT_NE(text.find("Bytes per rank: other, mlp (8 layers, 526,336 parameters)\n"), std::string::npos);
  const std::string at_rest_group = text.substr(0, text.find("\n\n"));
  EXPECT_NE(at_rest_group.find("ddp           4"), std::string::npos);
  EXPECT_EQ(at_rest_group.find("zero3"), std::string::npos);
}

TEST(Tables, ColumnsThatTellCasesApartAppear) {
  std::vector<CaseResult> results = {notebook()[0], notebook()[0]};
  results[1].spec.backend = "mpi";
  const std::string text = tables(results, {});
  EXPECT_NE(text.find("  ddp           2  root  mpi  "), std::string::npos);
  EXPECT_NE(text.find("2  no difference (1.00)\n"), std::string::npos) << "the time of mpi over that of gloo";
}

TEST(Tables, OfHundredsOfCasesAndManyRanks) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 300; ++i) results.push_back(at_rest(std::to_string(i), 2, 4, 4, 8));
  CaseResult wide = good_pipeline();
  wide.launches[0].ranks.resize(16, wide.launches[0].ranks[1]);
  wide.launches[0].samples[0].ranks.resize(16);
  results.push_back(wide);
  const std::string text = tables(results, {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 * (300 + 3) + 2 * (1 + 3) + (6 + 3) + 1);
  EXPECT_NE(text.find("  4 to 5  2,048 to 6,144  4 to 10  "), std::string::npos) << text.substr(text.find("Tensors"));
}

TEST(Tables, TellWhichPluginsWereNotOptimized) {
  CaseResult slow = good_training();
  const std::string said = "Compiled without optimization, so the times of their cases are not to be compared: ";
  EXPECT_EQ(tables({slow}, {}).find(said), std::string::npos);
  slow.unoptimized = "strategy mine";
  EXPECT_NE(tables({slow, good_training()}, {}).find(said + "strategy mine\n"), std::string::npos);
}

TEST(Tables, OfNoCases) { EXPECT_EQ(tables({}, {}), "0 cases: 0 ok; 0 invariants passed, 0 failed, 0 not run\n"); }

TEST(Tables, EveryHeadingSaysWhatWasInjected) {
  std::vector<CaseResult> results = notebook();
  for (CaseResult& r : results) r.injected = "slowdown=0.25";
  const std::string real = tables(notebook(), {}), marked = tables(results, {});
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(real, "INJECTED"), 0u);
  // A heading ends in its table's first line; the last line is the summary.
  EXPECT_EQ(count(marked, " [INJECTED slowdown=0.25]\n"), count(real, "\n\n") + 1);
  EXPECT_EQ(injected_line(notebook(), {}), "");
  EXPECT_TRUE(injected_line(results, {}).starts_with("INJECTED slowdown=0.25 (run --inject): "));
}
