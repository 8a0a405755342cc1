#include "cli/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/dll/runtime_symbol_info.hpp>

#include "launch/interrupts.hpp"

namespace shardbench {
namespace {

constexpr double patience_s = 60;  ///< for ranks that have nothing to do but to end

}  // namespace

Groups::Groups(const Catalogue& catalogue, PluginHost& host, int (*rank_main)(const RankStart*))
    : catalogue_(catalogue), host_(host), rank_main_(rank_main) {}

std::filesystem::path Groups::fresh_folder() {
  auto folder = folder_.path() / std::to_string(++folders_);
  std::filesystem::create_directory(folder);
  return folder;
}

bool Groups::by_mpirun(const Case& spec) const {
  return catalogue_.find(PluginKind::comm, spec.backend)->launcher == "mpirun";
}

const std::vector<std::string>& Groups::arguments(const Case& spec) {
  const std::pair asked(spec.backend, spec.backend_options);
  const auto known = arguments_.find(asked);
  if (known != arguments_.end()) return known->second;
  const PluginInfo& plugin = *catalogue_.find(PluginKind::comm, spec.backend);
  return arguments_.emplace(asked, host_.mpirun_arguments(plugin, spec.backend_options, spec.deadline_s)).first->second;
}

std::string Groups::key(const Case& spec) {
  if (!by_mpirun(spec)) return spec.id;
  return fmt::format("{} {} {}", spec.backend, spec.world, fmt::join(arguments(spec), " "));
}

Launcher Groups::launcher(const Case& spec) {
  if (!by_mpirun(spec)) return fork_launcher(rank_main_);
  const std::string program = boost::dll::program_location().string();
  return mpirun_launcher({find_mpirun(), arguments(spec), {program, "rank"}});
}

RankGroup& Groups::start(const Case& spec) {
  const std::string& name = keys_[spec.id] = key(spec);
  Entry& entry = waiting_[name];
  if (entry.group && !entry.served.insert(spec.id).second) {
    entry.group->begin_again(patience_s);  // the deadline of its last case may be long over
    entry.group->finish();
    entry = {};
  }
  if (entry.group) {
    entry.group->begin_again(spec.deadline_s);
  } else {
    entry.group =
        std::make_unique<RankGroup>(RankGroup::Input{spec.world, launcher(spec), fresh_folder(), spec.deadline_s});
    entry.served = {spec.id};
  }
  return *entry.group;
}

void Groups::end(const Case& spec) {
  if (by_mpirun(spec)) {
    waiting_.at(keys_.at(spec.id)).group->ask({{"type", "end"}});
    return;
  }
  waiting_.at(spec.id).group->finish();
  waiting_.erase(spec.id);
}

void Groups::drop(const Case& spec) {
  if (const auto known = keys_.find(spec.id); known != keys_.end()) waiting_.erase(known->second);
}

std::vector<std::string> Groups::finish() {
  std::vector<std::string> problems;
  if (!interrupted())
    for (auto& [name, entry] : waiting_) try {
        entry.group->begin_again(patience_s);
        entry.group->finish();
      } catch (const GroupFault& fault) {
        problems.push_back(fmt::format("the ranks of {} did not end well: {}", name, fault.what()));
      }
  waiting_.clear();
  return problems;
}

std::unique_ptr<RankGroup> Groups::alone(double deadline_s) {
  return std::make_unique<RankGroup>(RankGroup::Input{1, fork_launcher(rank_main_), fresh_folder(), deadline_s});
}

}  // namespace shardbench
