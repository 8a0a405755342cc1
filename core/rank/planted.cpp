#include "rank/planted.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

class PlantedProgram final : public RankProgram {
 public:
  PlantedProgram(std::unique_ptr<RankProgram> program, const Planted& planted)
      : program_(std::move(program)), planted_(planted) {
    const RoleScope scope(Role::weights);
    kept_ = at::empty({static_cast<std::int64_t>(planted.bytes)}, at::kByte);
  }

  void train(RankReport& report) override {
    program_->train(report);
    report.weights_bytes += planted_.bytes;
    report.held_storage_bytes += planted_.bytes;
  }

  void compare_with(const Reference& reference, RankReport& report) override {
    program_->compare_with(reference, report);
  }
  std::uint64_t shown_hash() const override { return program_->shown_hash(); }
  void audit(RankReport& report) override { program_->audit(report); }
  std::vector<Span> trace() override { return program_->trace(); }
  void conclude(const Reference* reference, RankReport& report) override { program_->conclude(reference, report); }

  StepTime time_step() override {
    StepTime time = program_->time_step();
    if (planted_.slowdown == 0) return time;
    const auto start = Clock::now();
    const auto end = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(planted_.slowdown * time.step));
    std::this_thread::sleep_until(end - std::chrono::microseconds(100));  // a sleep may take 50 us too long
    auto now = Clock::now();
    while (now < end) now = Clock::now();
    time.step += std::chrono::duration<double>(now - start).count();
    return time;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<RankProgram> program_;
  Planted planted_;
  at::Tensor kept_;
};

}  // namespace

std::unique_ptr<RankProgram> with_planted(std::unique_ptr<RankProgram> program, const Planted& planted) {
  if (!planted.any()) return program;
  return std::make_unique<PlantedProgram>(std::move(program), planted);
}

}  // namespace shardbench
