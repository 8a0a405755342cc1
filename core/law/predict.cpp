#include "law/predict.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <ranges>

#include "shardbench/error.hpp"
#include "shardbench/law.hpp"

namespace shardbench {
namespace {

/// So that 16 bytes for each of N padded shards stay far below 2^64.
constexpr std::uint64_t most_parameters = 1'000'000'000'000'000;
constexpr std::uint64_t most_ranks = 1'000'000;
/// Bytes sent that differ by less than this part of them differ by padding.
constexpr std::uint64_t padding_share = 1000;

std::uint64_t ceil_div(std::uint64_t n, std::uint64_t parts) { return (n + parts - 1) / parts; }

void check(const PredictionInput& in) {
  const auto within = [](std::uint64_t value, std::uint64_t most, const char* what) {
    if (value < 1 || value > most)
      throw Error(fmt::format("there are {} {}, but 1 to {} can be predicted", value, what, most), "predict",
                  fmt::format("give a number of {} in that range", what));
  };
  within(in.parameters, most_parameters, "parameters");
  within(in.ranks, most_ranks, "ranks");
  within(in.units, in.parameters, "units");
}

/// The bytes of a whole model and of one rank's shard of it.
class States {
 public:
  explicit States(const PredictionInput& in)
      : in_(in),
        unit_shard_(ceil_div(ceil_div(in.parameters, in.units), in.ranks)),
        even_shard_(ceil_div(in.parameters, in.ranks)),
        others_(in.parameters - in.parameters / in.ranks) {}

  std::uint64_t weights() const { return in_.parameters * in_.bytes.weight; }
  std::uint64_t gradients() const { return in_.parameters * in_.bytes.gradient; }
  std::uint64_t optimizer() const { return in_.parameters * in_.bytes.optimizer; }
  std::uint64_t even_shard() const { return even_shard_; }
  /// Elements of one rank's shards of all units.
  std::uint64_t shards() const { return unit_shard_ * in_.units; }
  std::uint64_t unit_shard() const { return unit_shard_; }
  std::uint64_t unit() const { return unit_shard_ * in_.ranks; }
  /// Elements that a ring collective over even parts sends from the rank that sends most.
  std::uint64_t even_ring() const { return others_; }
  /// The same over the units' equal, padded parts.
  std::uint64_t padded_ring() const { return shards() * (in_.ranks - 1); }
  const BytesPerParameter& bytes() const { return in_.bytes; }

 private:
  const PredictionInput& in_;
  std::uint64_t unit_shard_, even_shard_, others_;
};

Prediction ddp(const States& s) {
  Prediction p{"ddp", "whole copies", s.weights(), s.gradients(), s.optimizer()};
  p.in_step = p.at_rest();
  p.sent = 2 * s.even_ring() * s.bytes().gradient;
  return p;
}

Prediction zero1(const States& s, bool flat) {
  Prediction p{flat ? "zero1 (flat)" : "zero1 (greedy)",
               flat ? "ZeRO paper, stage 1" : "PyTorch's ZeroRedundancyOptimizer", s.weights(), s.gradients(),
               s.even_shard() * s.bytes().optimizer};
  p.in_step = p.at_rest();
  p.sent = s.even_ring() * ((flat ? 1 : 2) * s.bytes().gradient + s.bytes().weight);
  return p;
}

/// On one rank the shard is the whole: nothing is gathered or reduced.
bool alone(const States& s) { return s.unit() == s.unit_shard(); }

/// Parameters stay whole; a unit's whole gradient lives until it is reduced to its shard.
Prediction zero2_of_the_paper(const States& s) {
  const auto& b = s.bytes();
  Prediction p{"zero2 (paper)", "ZeRO paper, stage 2", s.weights(), s.shards() * b.gradient, s.shards() * b.optimizer};
  p.in_step = p.at_rest() + (alone(s) ? 0 : s.unit() * b.gradient);
  p.sent = s.padded_ring() * (b.gradient + b.weight);
  return p;
}

/// All units are whole when the first backward begins; then one unit's whole gradient and its shard come on top.
Prediction zero2(const States& s, const PredictionInput& in) {
  const auto& b = s.bytes();
  Prediction p{"zero2", "FSDP's SHARD_GRAD_OP", s.shards() * b.weight, s.shards() * b.gradient,
               s.shards() * b.optimizer};
  p.in_step = alone(s)
                  ? p.at_rest()
                  : p.weights + p.optimizer + s.unit() * in.units * b.weight + (s.unit() + s.unit_shard()) * b.gradient;
  p.sent = s.padded_ring() * (b.gradient + b.weight);
  return p;
}

/// One unit is whole at a time; at the last backward all gradient shards are there. The root unit is gathered once.
Prediction zero3(const States& s, const PredictionInput& in) {
  const auto& b = s.bytes();
  Prediction p{"zero3", "ZeRO paper, stage 3; FSDP's FULL_SHARD", s.shards() * b.weight, s.shards() * b.gradient,
               s.shards() * b.optimizer};
  p.in_step = p.at_rest() + (alone(s) ? 0 : s.unit() * (b.weight + b.gradient));
  p.sent = s.padded_ring() * (b.gradient + (in.units == 1 ? 1 : 2) * b.weight);
  return p;
}

struct ByteUnit {
  std::string_view name;
  double bytes;
};
constexpr ByteUnit byte_units[] = {
    {"", 1},      {"b", 1},       {"kb", 1e3},       {"mb", 1e6},          {"gb", 1e9},
    {"tb", 1e12}, {"kib", 1024.}, {"mib", 1048576.}, {"gib", 1073741824.}, {"tib", 1099511627776.}};

}  // namespace

BytesPerParameter one_precision(DType dtype, OptimizerKind optimizer) {
  const std::uint64_t size = size_of(dtype);
  const std::uint64_t numbers = optimizer == OptimizerKind::adamw ? 2 : optimizer == OptimizerKind::momentum ? 1 : 0;
  return {size, size, numbers * size};
}

BytesPerParameter mixed_precision(OptimizerKind optimizer) {
  constexpr std::uint64_t master_weight = 4;
  return {2, 2, master_weight + one_precision(DType::float32, optimizer).optimizer};
}

std::vector<Prediction> predict(const PredictionInput& in) {
  check(in);
  const States states(in);
  return {ddp(states),
          zero1(states, /*flat=*/false),
          zero1(states, /*flat=*/true),
          zero2_of_the_paper(states),
          zero2(states, in),
          zero3(states, in)};
}

const Prediction* cheapest_that_fits(const std::vector<Prediction>& predictions, std::uint64_t memory) {
  std::vector<const Prediction*> fitting;
  for (const Prediction& p : predictions)
    if (p.in_step <= memory) fitting.push_back(&p);
  if (fitting.empty()) return nullptr;
  const auto least = std::ranges::min(fitting, {}, &Prediction::sent)->sent;
  std::erase_if(fitting, [&](const Prediction* p) { return p->sent - least > least / padding_share; });
  return std::ranges::min(fitting, {}, &Prediction::in_step);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* known =
      std::find_if(std::begin(byte_units), std::end(byte_units), [&](const ByteUnit& u) { return u.name == unit; });
  if (known == std::end(byte_units) || value * known->bytes > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(value * known->bytes));
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr ByteUnit shown[] = {{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}};
  for (const ByteUnit& unit : shown)
    if (static_cast<double>(bytes) >= unit.bytes)
      return fmt::format("{:.1f} {}", static_cast<double>(bytes) / unit.bytes, unit.name);
  return fmt::format("{} bytes", bytes);
}

}  // namespace shardbench
