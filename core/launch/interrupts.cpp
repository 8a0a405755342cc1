#include "launch/interrupts.hpp"

#include <atomic>
#include <csignal>

namespace shardbench {
namespace {

std::atomic<bool> interrupt_flag{false};

void on_interrupt(int signal) {
  if (interrupt_flag.exchange(true)) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

}  // namespace

bool interrupted() noexcept { return interrupt_flag.load(); }

void watch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, &on_interrupt);
}

}  // namespace shardbench
