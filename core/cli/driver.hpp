#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boost/dll/shared_library.hpp>

#include "cli/groups.hpp"
#include "control/planted.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/loaded.hpp"
#include "result/case_result.hpp"

namespace benchmark {
class State;
}

namespace shardbench {

/// Runs launches of cases: the one place that tells ranks what to do. Loads the rank library and every plugin that the
/// cases use once, before the first fork.
class Driver {
 public:
  /// Throws `Error` where the library or a plugin cannot be loaded.
  Driver(const Catalogue& catalogue, const std::vector<CaseResult>& cases);

  /// Called with what a launch is doing.
  using Doing = std::function<void(const std::string& what)>;

  /// One launch of a case under the loop of `state`, which decides how many steps are timed. The launch is added to
  /// `result`; a fault sets its status and detail.
  void launch(CaseResult& result, benchmark::State& state, const Doing& doing);

  /// What the ranks of launches from now on get planted; nothing at first.
  void plant(const Planted& planted) { planted_ = planted; }

  /// Ends the ranks that wait for further cases, and says what went wrong with it.
  [[nodiscard]] std::vector<std::string> finish() { return groups_.finish(); }

  /// "LibTorch" -> "2.13.0", ... as the rank library tells.
  std::map<std::string, std::string> library_versions() const;

 private:
  std::filesystem::path reference_for(const CaseResult& result, const Doing& doing);
  Launch run_launch(const CaseResult& result, benchmark::State& state, const Doing& doing);
  Message case_message(const CaseResult& result, const std::filesystem::path& reference) const;

  const Catalogue& catalogue_;
  Planted planted_;
  boost::dll::shared_library library_;
  std::vector<LoadedPlugin> plugins_;
  std::map<std::string, std::filesystem::path> references_;  ///< by what they depend on
  Groups groups_;
};

}  // namespace shardbench
