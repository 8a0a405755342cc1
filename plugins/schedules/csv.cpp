#include <filesystem>
#include <string>

#include "law/plan.hpp"
#include "law/plan_file.hpp"
#include "law/plan_text.hpp"
#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

void check_size(std::size_t theirs, int asked, const char* what, const std::filesystem::path& file) {
  if (theirs != static_cast<std::size_t>(asked))
    throw Error(
        "the plan has " + std::to_string(theirs) + " " + what + ", but " + std::to_string(asked) + " are asked for",
        file.string(), "ask for as many as the file has");
}

/// A plan from a file, in PyTorch's pipeline IR (`shardbench schedule export` writes one). Communication in it is
/// checked and then left to the core, as that of every schedule.
Plan csv(const ScheduleInput& in) {
  const std::string name = in.option("file", "");
  if (name.empty())
    throw Error("csv runs the plan of a file, but none is named", {}, "set the option file = \"plan.csv\"");
  const std::filesystem::path file = std::filesystem::path(in.folder) / name;
  Plan plan = read_plan(file);
  check_size(plan.ranks.size(), in.ranks, "ranks", file);
  check_size(static_cast<std::size_t>(microbatches_of(plan)), in.microbatches, "microbatches", file);
  return plan;
}

/// What a file's author claims is not in it: what its own actions come to.
ScheduleLaw csv_law(const ScheduleInput& in, int rank) {
  const PeakInFlight peaks = peak_in_flight(csv(in));
  const auto r = static_cast<std::size_t>(rank);
  return {peaks.until_input[r], peaks.until_weight[r]};
}

}  // namespace

SHARDBENCH_SCHEDULE(csv, csv_law, "csv", "1.0.0", "The plan of a file in PyTorch's pipeline IR", "file=*;chunks=0")
