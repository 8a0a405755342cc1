#include "rank/observe.hpp"

#include <set>

namespace shardbench {

void report_holdings(const Holdings& holdings, RankReport& report) {
  report.weights_bytes = report.gradients_bytes = report.optimizer_bytes = report.held_storage_bytes = 0;
  std::set<const void*> storages;
  for (const Holding& h : holdings) {
    const auto bytes = static_cast<std::uint64_t>(h.tensor.numel()) * h.tensor.element_size();
    if (h.role == Role::weights)
      report.weights_bytes += bytes;
    else if (h.role == Role::gradients)
      report.gradients_bytes += bytes;
    else if (h.role == Role::optimizer)
      report.optimizer_bytes += bytes;
    else
      throw Error("holding '" + h.name + "' has role " + std::string(name_of(h.role)) +
                  ", but only weights, gradients and optimizer are kept between steps");
    tag(h.tensor, h.role);
    if (storages.insert(h.tensor.storage().unsafeGetStorageImpl()).second)
      report.held_storage_bytes += storage_bytes(h.tensor);
  }
  report.live_at_rest = measure::live_bytes();
}

void report_optimizer_steps(const Holdings& holdings, RankReport& report) {
  std::set<double> steps;
  for (const Holding& h : holdings)
    if (h.role == Role::optimizer && h.name == "step") steps.insert(h.tensor.item<double>());
  report.optimizer_steps.assign(steps.begin(), steps.end());
}

}  // namespace shardbench
