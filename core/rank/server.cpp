#include "rank/server.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include "control/board.hpp"
#include "control/caught.hpp"
#include "control/channel.hpp"
#include "control/json.hpp"
#include "measure/heap.hpp"
#include "plugin/loaded.hpp"
#include "rank/gradient_record.hpp"
#include "rank/planted.hpp"
#include "rank/program.hpp"
#include "rank/reference.hpp"
#include "shardbench/error.hpp"
#include "suite/case_json.hpp"

namespace shardbench {
namespace {

/// The high-water mark of its memory begins anew (proc(5), clear_refs): a process may serve several cases. A kernel
/// that refuses it leaves the mark of all cases so far, which is what VmHWM says.
void forget_vm_hwm() { std::ofstream("/proc/self/clear_refs") << 5; }

std::map<std::string, std::string> facts_of(const CommDescription& d) {
  std::map<std::string, std::string> facts = d.details;
  facts["library"] = d.library;
  facts["version"] = d.version;
  facts["transport"] = d.transport;
  facts["wait_mode"] = d.wait_mode;
  return facts;
}

PluginInfo plugin_in(const Message& where, PluginKind kind) {
  PluginInfo info;
  info.kind = kind;
  info.name = where.at("name").get<std::string>();
  info.file = where.at("file").get<std::string>();
  return info;
}

/// What the reference is to follow: the records of all ranks, or nothing.
std::vector<std::filesystem::path> shown_files(const Message& request) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = request.at("records").get<std::string>();
  for (int rank = 0; !folder.empty() && rank < request.at("case").at("world").get<int>(); ++rank)
    files.push_back(record_of(folder, rank));
  return files;
}

bool serving = true;  ///< what on_exit can see

/// From now on exit() in the code of a plugin ends the process at once: on the way out MPI would wait for its peers.
void end_at_once_on_exit() {
  static const int registered = ::on_exit(
      [](int status, void*) {
        if (serving) std::_Exit(status);
      },
      nullptr);
  static_cast<void>(registered);
}

/// One rank's state from `case` to `end`, the next `case` or `finish`.
class Session {
 public:
  Session(const RankStart& start, Channel& channel, const Message& request)
      : spec_(request.at("case").get<Case>()),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(request.at("deadline_s").get<double>()))),
        board_(Board::open(request.at("board").get<std::string>(), start.world)),
        comm_plugin_(plugin_in(request.at("comm"), PluginKind::comm)),
        comm_(comm_plugin_.descriptor().create_comm(
                  {start.rank, start.world, spec_.backend_options, deadline_,
                   [&channel](const std::string& mine) {
                     channel.send({{"type", "exchange"}, {"blob", nlohmann::json::binary({mine.begin(), mine.end()})}});
                     const Message reply = channel.receive();
                     std::vector<std::string> all;
                     for (const auto& blob : reply.at("blobs")) {
                       const auto& bytes = blob.get_binary();
                       all.emplace_back(bytes.begin(), bytes.end());
                     }
                     return all;
                   }}),
              comm_plugin_.descriptor().destroy_comm),
        communicator_({comm_.get(), &board_, deadline_}),
        record_(record_of(request.at("records").get<std::string>(), start.rank)) {
    end_at_once_on_exit();  // after MPI has registered its own end: the latest comes first
    report_.rank = start.rank;
    ProgramInput input{spec_, communicator_, record_, nullptr, request.at("plan"), comm_.get()};
    switch (spec_.program) {
      case Program::training:
        strategy_plugin_.emplace(plugin_in(request.at("strategy"), PluginKind::strategy));
        input.strategy = &strategy_plugin_->descriptor();
        program_ = make_training(input);
        break;
      case Program::pipeline: program_ = make_pipeline(input); break;
      case Program::collective: program_ = make_collective(input); break;
    }
    const Message& planted = request.at("planted");
    program_ = with_planted(std::move(program_),
                            {planted.at("slowdown").get<double>(), planted.at("bytes").get<std::uint64_t>()});
  }

  Message answer(const Message& request) {
    const auto type = request.at("type").get<std::string>();
    if (type == "train") {
      program_->train(report_);
      return {{"type", "done"}, {"shown", program_->shown_hash()}};
    }
    if (type == "compare") {
      program_->compare_with(Reference::load(request.at("reference").get<std::string>()), report_);
      return {{"type", "done"}};
    }
    if (type == "audit") {
      program_->audit(report_);
      return {{"type", "done"}};
    }
    if (type == "step") return {{"type", "done"}, {"time", program_->time_step()}};
    if (type == "trace") return {{"type", "done"}, {"spans", program_->trace()}};
    if (type == "conclude") {
      report_.vm_hwm_bytes = measure::status_bytes("VmHWM");
      const auto file = request.at("reference").get<std::string>();
      const std::optional<Reference> reference = file.empty() ? std::nullopt : std::optional(Reference::load(file));
      program_->conclude(reference ? &*reference : nullptr, report_);
      std::filesystem::remove(record_);
      report_.backend = facts_of(comm_->describe());
      return {{"type", "done"}, {"report", report_}};
    }
    throw Error("the driver asks for '" + type + "', which a rank does not know");
  }

 private:
  Case spec_;
  Deadline deadline_;
  Board board_;
  LoadedPlugin comm_plugin_;
  std::unique_ptr<Comm, void (*)(Comm*)> comm_;
  Communicator communicator_;
  std::filesystem::path record_;  ///< of the gradients that the checked steps show
  std::optional<LoadedPlugin> strategy_plugin_;
  std::unique_ptr<RankProgram> program_;
  RankReport report_;
};

/// The session is the caller's: an error has to be told while its connections are still open, or the peers, who see
/// them close, would tell of that first.
void serve(const RankStart& start, Channel& channel, std::optional<Session>& session) {
  for (;;) {
    const Message request = channel.receive();
    const auto type = request.at("type").get<std::string>();
    if (type == "finish") {
      session.reset();
      channel.send({{"type", "done"}});
      return;
    }
    if (type == "end") {
      session.reset();
      channel.send({{"type", "done"}});
    } else if (type == "reference") {
      write_reference({request.at("case").get<Case>(), request.at("orders").get<std::vector<std::vector<int>>>(),
                       shown_files(request), request.at("steps_after").get<int>()},
                      request.at("file").get<std::string>());
      ::malloc_trim(0);  // it may serve others after a large one
      channel.send({{"type", "done"}});
    } else if (type == "case") {
      forget_vm_hwm();
      session.emplace(start, channel, request);
      channel.send({{"type", "done"}});
    } else if (session) {
      channel.send(session->answer(request));
    } else {
      throw Error("the driver asks for '" + type + "' before a case");
    }
  }
}

/// Keeps freed memory in the process, so that a step does not fault the same pages in again and again.
void keep_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace
}  // namespace shardbench

int shardbench_rank_main(const shardbench::RankStart* start) {
  using namespace shardbench;
  keep_memory();
  at::set_num_threads(1);
  const c10::NoGradGuard no_gradient;
  Channel channel(start->descriptor);
  std::optional<Session> session;
  std::string problem;
  try {
    serve(*start, channel, session);
    serving = false;
    return 0;
  } catch (const c10::Error& e) {
    problem = e.what_without_backtrace();
  } catch (const std::exception& e) {
    problem = e.what();
  } catch (...) {
    problem = "it threw " + caught_text();
  }
  try {
    channel.send({{"type", "error"}, {"problem", problem}});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s (and the driver could not be told: %s)\n", problem.c_str(), e.what());
  }
  return 1;
}
