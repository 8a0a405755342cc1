#include "rank/boundaries.hpp"

#include <string>
#include <utility>

#include <ATen/ops/empty.h>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "law/stages.hpp"
#include "shardbench/error.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

at::Tensor& at_place(std::vector<std::vector<at::Tensor>>& all, int stage, int microbatch) {
  return all.at(static_cast<std::size_t>(stage)).at(static_cast<std::size_t>(microbatch));
}

at::Tensor take(std::vector<std::vector<at::Tensor>>& all, int stage, int microbatch, const char* what) {
  at::Tensor& place = at_place(all, stage, microbatch);
  if (!place.defined())
    throw Error(std::string("there is no ") + what + " of stage " + std::to_string(stage) + ", microbatch " +
                    std::to_string(microbatch) + " yet",
                "the rank's plan", "receive it, or run the neighbouring stage on this rank, before it is used");
  return std::exchange(place, {});
}

}  // namespace

Boundaries::Boundaries(const Input& in) : plan_(in.lowered), comm_(in.comm), rows_(in.spec.batch / in.spec.horizon) {
  const int stages = last_stage() + 1;
  for (int s = 0; s < stages; ++s) {
    const StageLayers part = stage_layers(in.spec.model.layers(), stages, s);
    widths_.push_back(in.spec.model.widths[static_cast<std::size_t>(part.first)]);
    const PerMicrobatch places(here(s) ? static_cast<std::size_t>(in.spec.horizon) : 0);
    for (auto* all : {&inputs_, &outputs_, &output_gradients_, &input_gradients_}) all->push_back(places);
  }
  const std::vector<int> points = release_points(plan_, comm_.rank());
  sends_at_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i] >= 0) sends_at_[static_cast<std::size_t>(points[i])].push_back(i);
}

at::Tensor Boundaries::take_input(int stage, int microbatch) { return take(inputs_, stage, microbatch, "input"); }

at::Tensor Boundaries::take_output_gradient(int stage, int microbatch) {
  if (stage == last_stage()) return {};
  return take(output_gradients_, stage, microbatch, "output gradient");
}

void Boundaries::give_output(int stage, int microbatch, at::Tensor output) {
  if (stage == last_stage()) return;
  at_place(here(stage + 1) ? inputs_ : outputs_, here(stage + 1) ? stage + 1 : stage, microbatch) = std::move(output);
}

void Boundaries::give_input_gradient(int stage, int microbatch, at::Tensor gradient) {
  if (stage == 0) return;
  const bool local = here(stage - 1);
  at_place(local ? output_gradients_ : input_gradients_, local ? stage - 1 : stage, microbatch) = std::move(gradient);
}

void Boundaries::communicate(const Action& a, std::size_t index) {
  switch (a.kind) {
    case ActionKind::recv_forward:
      at_place(inputs_, a.stage, a.microbatch) = receive(widths_[static_cast<std::size_t>(a.stage)], home(a.stage - 1),
                                                         tag_of(true, a.stage - 1, a.microbatch));
      return;
    case ActionKind::recv_backward:
      at_place(output_gradients_, a.stage, a.microbatch) = receive(
          widths_[static_cast<std::size_t>(a.stage) + 1], home(a.stage + 1), tag_of(false, a.stage + 1, a.microbatch));
      return;
    case ActionKind::send_forward:
      send(index, take(outputs_, a.stage, a.microbatch, "output"), home(a.stage + 1),
           tag_of(true, a.stage, a.microbatch));
      return;
    case ActionKind::send_backward:
      send(index, take(input_gradients_, a.stage, a.microbatch, "input gradient"), home(a.stage - 1),
           tag_of(false, a.stage, a.microbatch));
      return;
    default: throw Error("action " + text(a) + " is not communication", "the rank's plan");
  }
}

/// One tag per message of a step: direction, sending stage, microbatch.
std::uint32_t Boundaries::tag_of(bool forward, int sender, int microbatch) const {
  return static_cast<std::uint32_t>(((microbatch * (last_stage() + 1)) + sender) * 2 + (forward ? 0 : 1));
}

at::Tensor Boundaries::receive(std::int64_t width, int peer, std::uint32_t tag_number) {
  at::Tensor buffer;
  {
    const RoleScope scope(Role::communication);
    buffer = at::empty({rows_, width});
  }
  buffer = comm_.recv(buffer, peer, tag_number).wait();
  tag(buffer, Role::activations);
  return buffer;
}

void Boundaries::send(std::size_t index, at::Tensor tensor, int peer, std::uint32_t tag_number) {
  sends_.emplace(index, comm_.send(tensor.contiguous(), peer, tag_number));
}

void Boundaries::collect(std::size_t index) {
  for (const std::size_t i : sends_at_[index]) {
    const auto send = sends_.find(i);
    send->second.wait();
    sends_.erase(send);
  }
}

void Boundaries::collect_all() {
  for (auto& [index, send] : sends_) send.wait();
  sends_.clear();
}

}  // namespace shardbench
