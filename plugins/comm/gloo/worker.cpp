#include "worker.hpp"

#include <exception>
#include <utility>

namespace shardbench::gloo_comm {

struct Worker::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
};

class Worker::Job final : public Work {
 public:
  explicit Job(std::shared_ptr<State> state) : state_(std::move(state)) {}
  bool wait(Deadline deadline) override {
    std::unique_lock lock(state_->mutex);
    const auto done = [this] { return state_->done; };
    // A deadline of "never" would overflow in the conversion to the system's clock.
    if (deadline == Deadline::max())
      state_->changed.wait(lock, done);
    else if (!state_->changed.wait_until(lock, deadline, done))
      return false;
    if (state_->failure) std::rethrow_exception(state_->failure);
    return true;
  }

 private:
  std::shared_ptr<State> state_;
};

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::unique_ptr<Work> Worker::start(std::function<void()> job) {
  auto state = std::make_shared<State>();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(job), state});
  }
  wake_.notify_one();
  return std::make_unique<Job>(std::move(state));
}

void Worker::run() {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      item = std::move(queue_.front());
      queue_.pop_front();
    }
    std::exception_ptr failure;
    try {
      item.run();
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(item.state->mutex);
      item.state->failure = failure;
      item.state->done = true;
    }
    item.state->changed.notify_all();
  }
}

}  // namespace shardbench::gloo_comm
