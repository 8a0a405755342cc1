#include "rank/planted.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

class PlantedProgram final : public RankProgram {
 public:
  PlantedProgram(std::unique_ptr<RankProgram> program, const Planted& planted, int rank)
      : program_(std::move(program)), planted_(planted), rank_(rank) {
    const RoleScope scope(Role::weights);
    kept_ = at::empty({static_cast<std::int64_t>(planted.bytes)}, at::kByte);
  }

  void train(RankReport& report) override {
    program_->train(report);
    report.weights_bytes += planted_.bytes;
    report.held_storage_bytes += planted_.bytes;
  }

  void audit(RankReport& report) override { program_->audit(report); }
  std::vector<Span> trace() override { return program_->trace(); }

  StepTime time_step() override {
    StepTime time = program_->time_step();
    const auto start = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const double wait = rank_ == 0 ? planted_.slowdown * time.step : 0;
    double waited = since();
    while (waited < wait) waited = since();
    time.step += waited;
    return time;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<RankProgram> program_;
  Planted planted_;
  int rank_;
  at::Tensor kept_;
};

}  // namespace

std::unique_ptr<RankProgram> with_planted(std::unique_ptr<RankProgram> program, const Planted& planted, int rank) {
  if (!planted.any()) return program;
  return std::make_unique<PlantedProgram>(std::move(program), planted, rank);
}

}  // namespace shardbench
