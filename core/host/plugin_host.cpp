#include "host/plugin_host.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <unistd.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "host/serve.hpp"
#include "launch/interrupts.hpp"
#include "launch/process.hpp"
#include "launch/rank_processes.hpp"
#include "law/plan.hpp"
#include "suite/case_json.hpp"

namespace shardbench {
namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The process, and the driver's end of the socket to it.
class PluginHost::Child {
 public:
  explicit Child(const std::filesystem::path& log) : log_(log), socket_(io_) {
    RankSocket theirs(io_);
    asio::local::connect_pair(socket_, theirs);
    const int descriptor = theirs.native_handle();
    process_.emplace(0, log, [descriptor] {
      // Plugins are to reach nothing of the driver's: not its files, not the sockets of its ranks.
      ::close_range(3, static_cast<unsigned>(descriptor) - 1, 0);
      ::close_range(static_cast<unsigned>(descriptor) + 1, ~0U, 0);
      std::ofstream("/proc/self/oom_score_adj") << 1000;  // what runs out of memory is this one
      return serve_plugins(descriptor);
    });
  }
  ~Child() { ::kill(-process_->id(), SIGKILL); }  // with what a plugin may have started
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Whether no other plugin than this has run in it.
  bool is_alone(const PluginInfo& plugin) const {
    return std::all_of(files_.begin(), files_.end(), [&](const auto& file) { return file == plugin.file; });
  }

  /// The reply; throws `PluginFault` where it is none, and then the process is of no more use.
  Message ask(const PluginInfo& plugin, const Message& question, double deadline_s) {
    files_.insert(plugin.file);
    plugin_ = &plugin;
    doing_ = "a call";
    deadline_s_ = deadline_s;
    until_ = steady_clock::now() +
             std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(deadline_s));
    boost::system::error_code failed;  // its death is seen by the read
    asio::write(socket_, asio::buffer(encode(question)), failed);
    try {
      for (;;) {
        Message reply = receive();
        if (reply.contains("threw")) lost(FaultKind::crashed, "threw " + reply["threw"].get<std::string>());
        if (!reply.contains("doing")) return reply;
        doing_ = reply["doing"].get<std::string>();
      }
    } catch (const PluginFault&) {
      throw;
    } catch (const std::exception& e) {
      lost(FaultKind::crashed, fmt::format("wrote into the connection to the driver ({})", e.what()));
    }
  }

 private:
  Message receive() {
    char header[4];
    read(asio::buffer(header));
    std::string body(body_length(header), '\0');
    read(asio::buffer(body));
    return decode(body);
  }

  void read(asio::mutable_buffer buffer) {
    bool ended = false;
    boost::system::error_code problem;
    asio::async_read(socket_, buffer, [&](boost::system::error_code failed, std::size_t) {
      ended = true;
      problem = failed;
    });
    while (!ended && !interrupted() && steady_clock::now() < until_) {
      io_.restart();
      io_.run_one_until(std::min(until_, steady_clock::now() + milliseconds(50)));
    }
    if (!ended) {
      socket_.close();
      io_.restart();
      io_.run();  // the handler, which knows this frame
      if (interrupted()) lost(FaultKind::interrupted, "was interrupted");
      lost(FaultKind::timeout, fmt::format("did not come back within {:g} s", deadline_s_));
    }
    if (!problem) return;
    const auto status = process_->wait(milliseconds(1000));
    lost(FaultKind::crashed, status ? text_of_status(*status) : "closed the connection to the driver");
  }

  [[noreturn]] void lost(FaultKind kind, const std::string& problem) {
    const std::string words = last_words(log_);
    throw PluginFault(
        kind, fmt::format("{} in {}{}{}", problem, doing_, words.empty() ? "" : "; its last words: ", words), *plugin_);
  }

  std::filesystem::path log_;
  asio::io_context io_;
  RankSocket socket_;
  std::optional<Process> process_;
  std::set<std::filesystem::path> files_;  ///< of the plugins that it was asked about
  const PluginInfo* plugin_ = nullptr;     ///< the one that it is asked about
  std::string doing_;
  double deadline_s_ = 0;
  steady_clock::time_point until_;
};

PluginHost::PluginHost() = default;
PluginHost::~PluginHost() = default;

Message PluginHost::ask(const PluginInfo& plugin, const Message& question, double deadline_s) {
  auto reply = [&]() -> Message {
    for (;;) {
      if (!child_) child_ = std::make_unique<Child>(folder_.path() / "plugins.log");
      const bool alone = child_->is_alone(plugin);
      try {
        return child_->ask(plugin, question, deadline_s);
      } catch (const PluginFault& fault) {
        child_.reset();
        std::filesystem::remove(folder_.path() / "plugins.log");
        if (alone || fault.kind() == FaultKind::interrupted) throw;
      }
    }
  }();
  if (const auto refused = reply.find("refused"); refused != reply.end())
    throw Error(refused->at("problem").get<std::string>(), refused->at("where").get<std::string>(),
                refused->at("cure").get<std::string>());
  return reply;
}

namespace {

/// What `read` makes of the answer, which may be anything.
template <class Read>
auto answer_in(const PluginInfo& plugin, const Message& reply, const std::string& what, Read read) {
  std::string problem;
  try {
    return read(reply.at("answer"));
  } catch (const Error& e) {
    problem = e.problem();
  } catch (const std::exception& e) {
    problem = e.what();
  }
  throw PluginFault(FaultKind::crashed, "gives a wrong " + what + ": " + problem, plugin);
}

}  // namespace

void PluginHost::load(const PluginInfo& plugin, double deadline_s) {
  ask(plugin, {{"type", "load"}, {"plugin", plugin_message(plugin)}}, deadline_s);
}

ScheduleAnswer PluginHost::plan(const PluginInfo& schedule, const ScheduleInput& in, double deadline_s) {
  const Message reply =
      ask(schedule, {{"type", "plan"}, {"plugin", plugin_message(schedule)}, {"input", input_message(in)}}, deadline_s);
  return answer_in(schedule, reply, "plan or law", [&](const Message& answer) {
    ScheduleAnswer made = schedule_in(answer, in);
    validate(made.plan, in);
    return made;
  });
}

std::vector<Law> PluginHost::laws(const PluginInfo& strategy, const Case& spec) {
  const Message reply =
      ask(strategy, {{"type", "laws"}, {"plugin", plugin_message(strategy)}, {"case", spec}}, spec.deadline_s);
  return answer_in(strategy, reply, "law", [&](const Message& answer) { return laws_in(answer, spec.world); });
}

std::vector<std::string> PluginHost::mpirun_arguments(const PluginInfo& comm,
                                                      const std::map<std::string, std::string>& options,
                                                      double deadline_s) {
  const Message reply =
      ask(comm, {{"type", "arguments"}, {"plugin", plugin_message(comm)}, {"options", options}}, deadline_s);
  return answer_in(comm, reply, "list of mpirun's arguments", arguments_in);
}

}  // namespace shardbench
