#include "pulse.hpp"

#include <gloo/transport/tcp/device.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "shardbench/error.hpp"

namespace shardbench::gloo_comm {

Pulse::Pulse(gloo::transport::tcp::Device& device) : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw Error(std::string("no eventfd: ") + std::strerror(errno), {}, "raise the limit of open files");
  device.registerDescriptor(fd_, EPOLLIN, this);
}

Pulse::~Pulse() { close(fd_); }

void Pulse::start() { eventfd_write(fd_, 1); }

void Pulse::stop() {
  eventfd_t beats = 0;
  eventfd_read(fd_, &beats);
}

void Pulse::handleEvents(int) { sched_yield(); }

}  // namespace shardbench::gloo_comm
