#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/channel.hpp"
#include "host/answers.hpp"
#include "launch/fault.hpp"
#include "launch/temporary_folder.hpp"
#include "plugin/catalogue.hpp"
#include "shardbench/error.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// A plugin did something else than to answer: it crashed, ended the process, hung, threw what is no `Error`, or gave
/// an answer that cannot be right. The message names the plugin, what it did, in which call, and its file.
class PluginFault : public Error {
 public:
  PluginFault(FaultKind kind, const std::string& problem, const PluginInfo& plugin)
      : Error(name_of(plugin.kind) + " '" + plugin.name + "' " + problem, plugin.file.string(),
              "correct the plugin, or leave it out"),
        kind_(kind) {}
  FaultKind kind() const noexcept { return kind_; }
  /// Problem and file, as a case tells them.
  std::string line() const { return problem() + " (" + where() + ")"; }

 private:
  FaultKind kind_;
};

/// What the driver has to know of plugins by running their code. All of it runs in one child process, forked from the
/// driver at the first question and again after it is lost, so that nothing a plugin does ends the driver.
///
///     PluginHost host;
///     const ScheduleAnswer answer = host.plan(*catalogue.find(PluginKind::schedule, "1f1b"), {4, 1, 8, {}});
///
/// Every question has a deadline in seconds and throws `PluginFault`; or `Error` where the plugin cannot be loaded, and
/// with the plugin's own words where that throws one. A plugin is blamed for a lost process only if no other plugin ran
/// in it: else it is asked again in a new one.
class PluginHost {
 public:
  static constexpr double patience_s = 60;

  PluginHost();
  /// Ends the process, and what plugins have started in it.
  ~PluginHost();

  /// Loads it, which runs its static initializers.
  void load(const PluginInfo& plugin, double deadline_s = patience_s);
  /// The plan of a schedule, valid, and its law on every rank.
  ScheduleAnswer plan(const PluginInfo& schedule, const ScheduleInput& in, double deadline_s = patience_s);
  /// The law of a training case's strategy on every rank.
  std::vector<Law> laws(const PluginInfo& strategy, const Case& spec);
  /// What a comm plugin tells mpirun.
  std::vector<std::string> mpirun_arguments(const PluginInfo& comm, const std::map<std::string, std::string>& options,
                                            double deadline_s);

 private:
  class Child;
  Message ask(const PluginInfo& plugin, const Message& question, double deadline_s);

  TemporaryFolder folder_;
  std::unique_ptr<Child> child_;
};

}  // namespace shardbench
