#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/dll/shared_library.hpp>

#include "cli/groups.hpp"
#include "control/planted.hpp"
#include "host/plugin_host.hpp"
#include "launch/fault.hpp"
#include "plugin/catalogue.hpp"
#include "result/case_result.hpp"

namespace benchmark {
class State;
}

namespace shardbench {

/// The files of references that were run, by what they depend on. The oldest go where all together take more than
/// `most_bytes`.
class References {
 public:
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 30;

  /// Empty where there is none.
  std::filesystem::path find(const std::string& key) const;
  void add(std::string key, std::filesystem::path file);

 private:
  struct Entry {
    std::string key;
    std::filesystem::path file;
    std::uintmax_t bytes;
  };
  std::vector<Entry> entries_;  ///< the oldest first
};

/// Runs launches of cases: the one place that tells ranks what to do. Loads the rank library once, before the first
/// fork. Plugins run in the ranks and in the host alone.
class Driver {
 public:
  /// Throws `Error` where the library cannot be loaded, or mpirun is needed and is not there.
  Driver(const Catalogue& catalogue, PluginHost& host, const std::vector<CaseResult>& cases);

  /// Called with what a launch is doing.
  using Doing = std::function<void(const std::string& what)>;

  /// One launch of a case under the loop of `state`, which decides how many steps are timed. The launch is added to
  /// `result`; a fault, a plugin's too, sets its status and detail.
  void launch(CaseResult& result, benchmark::State& state, const Doing& doing);

  /// What the ranks of launches from now on get planted; nothing at first.
  void plant(const Planted& planted) { planted_ = planted; }

  /// Ends the ranks that wait for further cases, and says what went wrong with it.
  [[nodiscard]] std::vector<std::string> finish() { return groups_.finish(); }

  /// "LibTorch" -> "2.13.0", ... as the rank library tells.
  std::map<std::string, std::string> library_versions() const;

 private:
  /// Gradients that ranks have shown: where their records are, and what tells them from others. Empty: of nobody.
  struct Shown {
    std::filesystem::path folder;
    std::string hash;
  };
  static Shown shown_by(const RankGroup& group, const std::vector<Message>& trained);

  /// A file of the case's reference: one that is there, or a new one.
  std::filesystem::path reference_for(const CaseResult& result, const Shown& shown, int steps_after,
                                      const Doing& doing);
  /// The same while the ranks wait: their deadline moves by as much.
  std::filesystem::path reference_meanwhile(RankGroup& group, const CaseResult& result, const Shown& shown,
                                            int steps_after, const Doing& doing);
  std::filesystem::path run_reference(const CaseResult& result, const Shown& shown, int steps_after);
  Launch run_launch(const CaseResult& result, benchmark::State& state, const Doing& doing);
  void end_lost(CaseResult& result, FaultKind kind, const std::string& why, benchmark::State& state);
  Message case_message(const CaseResult& result) const;

  const Catalogue& catalogue_;
  Planted planted_;
  boost::dll::shared_library library_;
  References references_;
  Groups groups_;
  std::unique_ptr<RankGroup> reference_group_;  ///< one process, for all references
};

}  // namespace shardbench
