#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "shardbench/comm.hpp"

namespace shardbench::gloo_comm {

/// A thread that runs collectives one after the other in the order started, so that they overlap with what the caller
/// computes.
class Worker {
 public:
  Worker();
  ~Worker();  ///< finishes what was started
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The returned work is complete when `job` has returned; its wait throws what `job` threw.
  std::unique_ptr<Work> start(std::function<void()> job);

 private:
  struct State;
  class Job;
  struct Item {
    std::function<void()> run;
    std::shared_ptr<State> state;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Item> queue_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace shardbench::gloo_comm
