#include <fmt/format.h>
#include <gtest/gtest.h>

#include "draw/gantt.hpp"
#include "plugins/schedules/schedule.hpp"
#include "result/document.hpp"
#include "simulate/simulate.hpp"

namespace shardbench {
namespace {

/// What docs/schedules.md says of a schedule besides its picture and numbers.
struct Described {
  const char* name;
  int chunks;
  const char* idea;
  const char* idle;       ///< per rank, of the makespan
  const char* in_flight;  ///< on rank r
  const char* conditions;
  const char* source;
};

const Described described[] = {
    {"gpipe", 1, "All forwards, then all backwards, in the same order of microbatches.", "(p-1)(tF+tB+tW)", "m",
     "v = 1", "Huang et al., GPipe, NeurIPS 2019, section 2.3; `torch.distributed.pipelining.ScheduleGPipe`"},
    {"1f1b", 1,
     "Rank r runs p-1-r forwards ahead, then one forward and one backward in turn: what is in flight no "
     "longer grows with m.",
     "(p-1)(tF+tB+tW)", "min(m, p-r)", "v = 1; m < p works (PyTorch's `Schedule1F1B` refuses it)",
     "Narayanan et al., PipeDream, SOSP 2019, section 3.2; with a flush, Fan et al., DAPPLE, PPoPP 2021, section 3"},
    {"eager_1f1b", 1,
     "1F1B with twice the forwards ahead, so that a message has the time of a forward and a backward "
     "to arrive: with messages of 1, 39 here in place of 1f1b's 49.",
     "(p-1)(tF+tB+tW)", "min(m, 2(p-r)-1)", "v = 1",
     "Zhuang et al., On Optimizing the Communication of Model Parallelism, MLSys 2023, section 4"},
    {"interleaved_1f1b", 2,
     "Each rank has v chunks of the model, stages r, r+p, ...; a round of microbatches goes through "
     "chunk after chunk. The bubble is divided by v, and messages are v times as many.",
     "(p-1)(tF+tB+tW)/v",
     "min(mv, (v-1)s + 2(p-1-r) + 1) of chunks, s the microbatches of a round: p where p divides m",
     "max(1, m/p rounded down) rounds have to divide m; m < p is one round",
     "Narayanan et al., Megatron-LM, SC 2021, section 2.2; `torch.distributed.pipelining.ScheduleInterleaved1F1B`, "
     "whose "
     "rounds these are"},
    {"looped_bfs", 2,
     "GPipe over v chunks: all microbatches through a chunk before the next; backwards in reversed order of "
     "chunks and of microbatches. Gradients are added in another order than in the reference, so they equal it "
     "closely and not to the bit.",
     "(p-1)(tF+tB+tW)/v", "mv of chunks", "none",
     "Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023, section 4; "
     "`torch.distributed.pipelining.ScheduleLoopedBFS`"},
    {"zb_h1", 1,
     "1F1B with the backward split: the gradient of the input (I) at once, that of the weights (W) r microbatches "
     "later on rank r, where it fills the end.",
     "(p-1)(tF+tB-tW)", "min(m, p-r) until I; min(m, p) until W", "v = 1",
     "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 2.1"},
    {"zb_h2", 1,
     "zb_h1 with more forwards ahead and W 2r microbatches late: no rank waits inside its own span, while ranks "
     "begin and end at different times.",
     "0 inside a rank's span where tF = tB = tW and m >= 2p-1", "min(m, 2(p-r)-1) until I; min(m, 2p-1) until W",
     "v = 1", "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 2.2"},
    {"interleaved_zb", 2, "interleaved_1f1b with the backward split as in zb_h1.", "(p-1)(tF+tB-tW)/v",
     "min(mv, (v-1)s + p-r) until I; min(mv, (v-1)s + p) until W; of chunks", "as interleaved_1f1b",
     "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, ZB-1P; "
     "`torch.distributed.pipelining.ScheduleInterleavedZeroBubble`"},
    {"zbv", 2,
     "Two chunks per rank in the shape of a V: stage s and stage 2p-1-s live together, so the loss is on rank 0 and "
     "gradients come back early everywhere.",
     "0 inside a rank's span where tF = tB = tW and m >= 2p-1", "min(2p, 2m, m+r+1) of chunks, until I and until W",
     "v = 2; m < 2p-1 works, with a bubble",
     "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 6; "
     "`torch.distributed.pipelining.ScheduleZBVZeroBubble`"},
    {"v_half", 2,
     "A V whose building block has half of 1F1B's lifespans: the forwards of the first chunk go down at half "
     "speed. The block is repeated every 6 units and what it leaves idle is squeezed out; the reordering of "
     "the beginning and the end, by which the paper's authors save a little more, is left out.",
     "about 3p of 6m, p/(2m) of the step", "(p+2)/2 whole microbatches, rounded down: twice that of chunks", "v = 2",
     "Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024, section 4; "
     "sail-sg/zero-bubble-pipeline-parallelism, `scheduler/zbv_greedy.py`"},
    {"v_min", 2, "A V in which every action follows what it needs at once: the least memory, a third of 1F1B's.",
     "about 4p of 6m, 2p/(3m) of the step", "at most (p+4)/3 whole microbatches, rounded down: twice that of chunks",
     "v = 2",
     "Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024, section 4; "
     "sail-sg/zero-bubble-pipeline-parallelism, `scheduler/zbv_greedy.py`"},
    {"dualpipev", 2,
     "zbv's placement with whole backwards in the steady phase, each beside a forward of the other chunk that "
     "DeepSeek overlaps it with. Here, as in any executor that has one stream, the two run one after the other.",
     "(p-1)(tF+tB-tW) without overlap, of chunks", "2p+1 of chunks, until I and until W", "v = 2, m >= 2p",
     "DeepSeek-V3 technical report, 2024, section 3.2.1; deepseek-ai/DualPipe, `dualpipev.py`; "
     "`torch.distributed.pipelining.ScheduleDualPipeV`"}};

constexpr int ranks = 4, microbatches = 8;

std::string listed(const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

std::string row(const Described& d, const Simulation& s) {
  std::vector<double> inside;
  for (const SimulatedRank& rank : s.ranks) inside.push_back(rank.idle_in_span());
  return fmt::format("| [{0}](#{0}) | {1} | {2:g} | {3:g} | {4:g} | {5} | {6} |\n", d.name, d.chunks, s.makespan,
                     s.ranks[0].idle_in_makespan(s.makespan), fmt::join(inside, " "), listed(s.in_flight.until_input),
                     listed(s.in_flight.until_weight));
}

std::string section(const Described& d) {
  return fmt::format(
      "\n## {0}\n\n{1}\n\n![{0} on 4 ranks](schedules/{0}.svg)\n\n| | |\n|---|---|\n| idle per rank | {2} |\n| in "
      "flight on rank r "
      "| {3} |\n| conditions | {4} |\n| source | {5} |\n",
      d.name, d.idea, d.idle, d.in_flight, d.conditions, d.source);
}

constexpr auto head = R"(# Schedules

<!-- Written by schedules_docs_test (tests/plugins/schedules/docs_test.cpp), as are the pictures; see CONTRIBUTING.md before you edit it. -->

Each schedule is a plugin in `plugins/schedules/`, one file that reads like its source. The core adds the communication, checks
that the plan can run, simulates it, and holds a run to it ([plugins](plugins.md#a-schedule)). *p* ranks, *v* chunks (stages per
rank), *m* microbatches; tF a stage's forward, tB the gradient of its input, tW that of its weights. A box is one action on one
microbatch: F forward, I gradient of the input, W gradient of the weights, B both at once. The zero-bubble papers call our I "B".

A microbatch is *in flight* on a rank from its F until its I (or B); until its W (or B) the rank still holds what the gradient of
the weights needs. Each chunk's microbatches are counted, so with v chunks one counts 1/v of the rank's part of the model. Idle time
is counted twice: of the makespan, and inside the rank's own span, from its first action to its last. "Zero bubble" means the latter.

All on 4 ranks with 8 microbatches, tF = tB = tW = 1, no cost of communication:

| schedule | v | makespan | idle in the makespan | idle inside its span, by rank | in flight until I | until W |
|---|---:|---:|---:|---|---|---|
)";

constexpr auto commands = R"(
A unit is a stage's forward: with v = 2 half as long as with v = 1. `shardbench simulate --compare all` gives every rank the same work:

```sh
shardbench simulate --schedule zbv --ranks 8 --microbatches 32 --cost F=1,B=1.3,W=0.7 --svg zbv.svg --trace zbv.json
shardbench simulate --compare all --ranks 8 --microbatches 32 --latency 0.1
shardbench schedule export zbv --ranks 4 --microbatches 8 -o zbv.csv
shardbench simulate --file zbv.csv
```

The simulation does every action as soon as the one before it on the rank is done and its input is there. A message leaves when
its action ends and the messages before it to the same rank have left, takes bytes / bandwidth to leave and the latency to arrive,
and costs the ranks nothing. `--trace` writes a file for ui.perfetto.dev, one millisecond for a unit. Where a schedule's law is
not that of its simulated plan, the table says both numbers, the invariant `simulation_equals_law` has failed, and the exit code is 1.

## Plans as text

`schedule export` and the schedule `csv` speak PyTorch's pipeline IR: a line per rank, actions separated by commas, each a stage, a
kind and a microbatch: `2F0`, `3I1`, `0SEND_F4`. What is written reads back as the same plan, with its communication or without.
Read besides is what PyTorch, editors and spreadsheets write: empty fields (a rank waits), `(3F4;0B2)OVERLAP_F_B` (two actions,
here one after the other), `REDUCE_GRAD`, `UNSHARD`, `RESHARD` (left out), blanks, tabs in place of commas, a byte order mark, CR LF,
and blank lines at the end. Each stage lives on the rank whose line has its actions; stages may be dealt unevenly, but every rank has
one. Communication in a file has to be complete and free of deadlock; then it is left to the core, as for every schedule. A plan that
cannot run is refused with the file, line and column of the action, and the ranks that wait for each other.

```toml
[[pipeline]]
schedule = "csv"
options = { file = "plans/mine.csv" }   # relative to the suite's folder; on the command line, to the working folder
world = 4
horizon = 8
```

PyTorch 2.13's own plans, 161 of six schedules at many p, v and m, are in `tests/plugins/schedules/pytorch-2.13-plans.jsonl`: all are
valid, and gpipe, interleaved_1f1b, looped_bfs, interleaved_zb, zbv and dualpipev have the same order on every rank.
)";

class Documents : public ::testing::Test {
 protected:
  static std::string title(const Described& d) {
    return d.chunks == 1 ? std::string(d.name) : fmt::format("{}, {} chunks per rank", d.name, d.chunks);
  }
};

TEST_F(Documents, ShowEverySchedule) {
  std::string text = head, sections;
  for (const Described& d : described) {
    const testing::Schedule schedule(d.name);
    const Plan plan = schedule.plan(ranks, microbatches, d.chunks);
    const Simulation simulation = simulate(plan, {});
    text += row(d, simulation);
    sections += section(d);
    const Gantt gantt{title(d),
                      fmt::format("{} ranks, {} microbatches, tF = tB = tW = 1: makespan {:g}", ranks, microbatches,
                                  simulation.makespan),
                      {gantt_part("simulated", plan, simulation)}};
    testing::expect_document(std::string("docs/schedules/") + d.name + ".svg", gantt_svg(gantt));
  }
  testing::expect_document("docs/schedules.md", text + commands + sections);
}

}  // namespace
}  // namespace shardbench
