#include "check/finding.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace shardbench {
namespace {

/// More complaints than this say nothing new.
constexpr std::size_t complaints_shown = 3;

}  // namespace

std::string CheckInput::rank_text(std::size_t launch, std::size_t rank) const {
  if (result.launches.size() < 2) return fmt::format("rank {}", rank);
  return fmt::format("launch {}, rank {}", launch + 1, rank);
}

std::string CheckInput::launch_prefix(std::size_t launch) const {
  return result.launches.size() < 2 ? std::string{} : fmt::format("launch {}: ", launch + 1);
}

Finding Findings::finding() const {
  if (complaints_.empty()) return reasons_.empty() ? Finding{} : Finding{Verdict::not_run, reasons_.front()};
  std::string message;
  for (std::size_t i = 0; i < std::min(complaints_.size(), complaints_shown); ++i)
    message += (i == 0 ? "" : "; ") + complaints_[i];
  if (complaints_.size() > complaints_shown)
    message += fmt::format("; and {} more", complaints_.size() - complaints_shown);
  return {Verdict::failed, std::move(message), launches_};
}

std::string differs(std::string_view what, std::uint64_t measured, std::string_view unit, std::string_view other,
                    std::uint64_t expected) {
  const bool more = measured > expected;
  return fmt::format("{} {} {}, but {} {} {} ({} {})", what, measured, unit, other, expected, unit,
                     more ? measured - expected : expected - measured, more ? "more" : "less");
}

}  // namespace shardbench
