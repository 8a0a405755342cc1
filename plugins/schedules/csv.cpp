#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

Plan read(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || !text)
    throw Error("cannot read the plan: " + std::string(std::strerror(errno)), file.string(),
                "name a file that is there; a relative path begins at the suite's folder");
  return parse_plan(text.str(), file.string());
}

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
  const Plan plan = read(file);
  check_size(plan.ranks.size(), in.ranks, "ranks", file);
  check_size(static_cast<std::size_t>(microbatches_of(plan)), in.microbatches, "microbatches", file);
  Plan computes = compute_only(plan);
  const bool communicates = std::any_of(plan.ranks.begin(), plan.ranks.end(), [](const RankPlan& rank) {
    return std::any_of(rank.actions.begin(), rank.actions.end(),
                       [](const Action& a) { return a.kind > ActionKind::backward_weight; });
  });
  if (communicates) validate_lowered(plan, in);
  return computes;
}

/// What a file's author claims is not in it: what its own actions come to.
ScheduleLaw csv_law(const ScheduleInput& in, int rank) {
  const PeakInFlight peaks = peak_in_flight(csv(in));
  const auto r = static_cast<std::size_t>(rank);
  return {peaks.until_input[r], peaks.until_weight[r]};
}

}  // namespace

SHARDBENCH_SCHEDULE(csv, csv_law, "csv", "1.0.0", "The plan of a file in PyTorch's pipeline IR", "file=*;chunks=0")
