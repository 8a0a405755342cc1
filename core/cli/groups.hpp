#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/plugin_host.hpp"
#include "launch/rank_group.hpp"
#include "launch/temporary_folder.hpp"
#include "plugin/catalogue.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// The groups of ranks of a run. Forked ranks serve one launch of one case. Those of one mpirun serve every case with
/// the same backend, world and mpirun arguments: it takes longer to start than most cases to run. But no case twice,
/// since launches of a case are to be independent of each other; and none after a fault.
class Groups {
 public:
  Groups(const Catalogue& catalogue, PluginHost& host, int (*rank_main)(const RankStart*));

  /// Ranks for one launch of a case, which this gives the case's deadline. Throws `GroupFault` where they do not start,
  /// and `PluginFault` or `Error` where the backend does not say how.
  RankGroup& start(const Case& spec);
  /// The launch is over, and the ranks are well: they end, or wait for the next case.
  void end(const Case& spec);
  /// The launch had a fault: its ranks are ended.
  void drop(const Case& spec);
  /// Ends the ranks that wait for a next case, and says what went wrong with it. After an interrupt it kills them.
  [[nodiscard]] std::vector<std::string> finish();

  /// One rank alone, for what needs no backend. To be finished by the caller.
  std::unique_ptr<RankGroup> alone(double deadline_s);
  std::filesystem::path fresh_folder();

 private:
  struct Entry {
    std::unique_ptr<RankGroup> group;
    std::set<std::string> served;  ///< ids of cases
  };
  bool by_mpirun(const Case& spec) const;
  const std::vector<std::string>& arguments(const Case& spec);
  std::string key(const Case& spec);
  Launcher launcher(const Case& spec);

  const Catalogue& catalogue_;
  PluginHost& host_;
  int (*rank_main_)(const RankStart*);
  TemporaryFolder folder_;
  int folders_ = 0;
  /// What mpirun is told, by backend and its options.
  std::map<std::pair<std::string, std::map<std::string, std::string>>, std::vector<std::string>> arguments_;
  std::map<std::string, std::string> keys_;  ///< of what waits for the cases that were started, by id
  std::map<std::string, Entry> waiting_;
};

}  // namespace shardbench
