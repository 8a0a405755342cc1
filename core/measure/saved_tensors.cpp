#include "measure/saved_tensors.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include <ATen/core/TensorBody.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include "measure/allocator.hpp"

namespace shardbench::measure {
namespace {

namespace autograd = torch::autograd;

/// The counts of one audit step.
struct Counts {
  SavedTensors totals;
  std::uint64_t alive = 0, alive_bytes = 0;  // saved and not used yet
  std::uint64_t held = 0;                    // hooks that exist
  std::uint64_t unique_bytes = 0;
  std::unordered_map<const void*, std::uint64_t> storages;  // saves per distinct storage that is no parameter's
  bool used = false;

  void saved(std::uint64_t bytes) {
    totals.saved += 1;
    totals.peak = std::max(totals.peak, ++alive);
    alive_bytes += bytes;
    totals.peak_bytes = std::max(totals.peak_bytes, alive_bytes);
    if (!used) totals.saved_before_first_use += 1;
  }
  void consumed(std::uint64_t bytes) {
    used = true;
    totals.consumed += 1;
    alive -= 1;
    alive_bytes -= bytes;
  }
  void hold(const void* storage, std::uint64_t bytes) {
    ++held;
    if (storage != nullptr && storages[storage]++ == 0) unique_bytes += bytes;
    totals.unique_peak_bytes = std::max(totals.unique_peak_bytes, unique_bytes);
  }
  void let_go(const void* storage, std::uint64_t bytes) {
    --held;
    const auto it = storages.find(storage);
    if (it != storages.end() && --it->second == 0) {
      unique_bytes -= bytes;
      storages.erase(it);
    }
  }
};

std::shared_ptr<Counts>& current() {
  static std::shared_ptr<Counts> counts;  // null: off
  return counts;
}

class CountingHook final : public autograd::SavedVariableHooks {
 public:
  explicit CountingHook(std::shared_ptr<Counts> counts) : counts_(std::move(counts)) {}
  ~CountingHook() override {
    if (packed_.defined()) counts_->let_go(storage_, storage_bytes_);
  }
  CountingHook(const CountingHook&) = delete;
  CountingHook& operator=(const CountingHook&) = delete;

  void call_pack_hook(const at::Tensor& tensor) override {
    packed_ = tensor.detach();  // the tensor itself would keep its own graph alive: a cycle
    bytes_ = static_cast<std::uint64_t>(tensor.numel()) * tensor.element_size();
    if (tensor.has_storage() && !is_weight_storage(tensor)) {
      storage_ = tensor.storage().unsafeGetStorageImpl();
      storage_bytes_ = tensor.storage().nbytes();
    }
    counts_->saved(bytes_);
    counts_->hold(storage_, storage_bytes_);
  }
  at::Tensor call_unpack_hook() override {
    if (!used_) counts_->consumed(bytes_);
    used_ = true;
    return packed_;
  }

 private:
  std::shared_ptr<Counts> counts_;
  at::Tensor packed_;
  std::uint64_t bytes_ = 0, storage_bytes_ = 0;
  const void* storage_ = nullptr;
  bool used_ = false;
};

/// LibTorch's engine, which asks it for hooks whenever a tensor is saved.
class MeteredEngine final : public autograd::Engine {
 public:
  std::unique_ptr<autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    if (!current()) return nullptr;
    return std::make_unique<CountingHook>(current());
  }
};

autograd::Engine& metered_engine() {
  static auto* engine = new MeteredEngine;  // made in the rank, after the fork; lives as long as the process
  return *engine;
}

const bool installed = [] {
  autograd::set_default_engine_stub(&metered_engine);
  return true;
}();

}  // namespace

void start_saved_tensors() { current() = std::make_shared<Counts>(); }

SavedTensors stop_saved_tensors() {
  const auto counts = std::exchange(current(), nullptr);
  counts->totals.alive_after = counts->held;
  return counts->totals;
}

}  // namespace shardbench::measure
