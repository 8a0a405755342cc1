#include "launch/ranks.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "control/board.hpp"
#include "control/channel.hpp"

namespace shardbench::testing {
namespace {

Misbehaviour planned_fault = Misbehaviour::exit;
int planned_culprit = 0;

constexpr BoardEntry bucket{Operation::all_reduce, DType::float32, ReduceOp::sum, -1, 0, 467};

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);  // a sanitizer has its own handler
  std::raise(signal);
  sleep_for_ever();
}

[[noreturn]] void misbehave(const RankStart& start, Channel& channel, const Message& request) {
  Board board = Board::open(request.at("board").get<std::string>(), start.world);
  board.begin(start.rank, bucket);
  if (start.rank != planned_culprit) sleep_for_ever();
  board.end(start.rank);
  switch (planned_fault) {
    case Misbehaviour::exit:
      std::fprintf(stderr, "first line\nout of luck\n");
      std::fflush(stderr);
      ::_exit(3);
    case Misbehaviour::kill: die_of(SIGKILL);
    case Misbehaviour::segv: die_of(SIGSEGV);
    case Misbehaviour::error: channel.send({{"type", "error"}, {"problem", "no luck"}}); ::_exit(1);
    case Misbehaviour::close: ::close(start.descriptor); break;
    case Misbehaviour::garbage:
      if (::write(start.descriptor, "\xff\xff\xff\xff", 4) != 4) ::_exit(4);
      break;
    case Misbehaviour::child:
      if (const pid_t child = ::fork(); child != 0) {
        std::printf("%d\n", static_cast<int>(child));
        std::fflush(stdout);
      }
      break;
    case Misbehaviour::hang:
    case Misbehaviour::late_exit: break;
  }
  sleep_for_ever();
}

}  // namespace

void plan_misbehaviour(Misbehaviour fault, int culprit) {
  planned_fault = fault;
  planned_culprit = culprit;
}

int rank_main(const RankStart* start) {
  Channel channel(start->descriptor);
  for (;;) {
    const Message request = channel.receive();
    const auto type = request.at("type").get<std::string>();
    if (type == "misbehave") misbehave(*start, channel, request);
    if (type == "finish") {
      channel.send({{"type", "done"}});
      return planned_fault == Misbehaviour::late_exit && start->rank == planned_culprit ? 9 : 0;
    }
    if (type == "exchange") {
      channel.send({{"type", "exchange"}, {"blob", "of rank " + std::to_string(start->rank)}});
      channel.send({{"type", "done"}, {"all", channel.receive().at("blobs")}});
    } else {
      channel.send({{"type", "done"}, {"rank", start->rank}, {"world", start->world}, {"process", ::getpid()}});
    }
  }
}

bool alive(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::stringstream text;
  text << stat.rdbuf();
  const auto end_of_name = text.str().rfind(')');
  return end_of_name != std::string::npos && text.str().at(end_of_name + 2) != 'Z';
}

bool all_gone(const std::vector<pid_t>& processes) {
  for (int i = 0; i < 6000; ++i) {
    bool any = false;
    for (const pid_t p : processes) any = any || alive(p);
    if (!any) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::vector<pid_t> processes_of(RankGroup& group) {
  std::vector<pid_t> processes;
  for (const Message& answer : group.ask({{"type", "who"}})) processes.push_back(answer.at("process").get<pid_t>());
  return processes;
}

}  // namespace shardbench::testing
