#include "draw/step_picture.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "result/text_table.hpp"

namespace shardbench {

std::uint64_t StepPicture::scale() const {
  std::uint64_t most = std::max<std::uint64_t>(1, law.value_or(0));
  for (const Bar& bar : bars) most = std::max(most, total(bar.bytes));
  return most;
}

std::optional<StepPicture> step_picture(const CaseResult& result) {
  if (!result.has_report()) return std::nullopt;
  const auto& ranks = result.ranks();
  const auto highest = std::max_element(
      ranks.begin(), ranks.end(), [](const RankReport& a, const RankReport& b) { return a.peak.bytes < b.peak.bytes; });
  if (highest->phases.empty()) return std::nullopt;
  StepPicture picture;
  picture.title = result.spec.id;
  picture.rank = highest->rank;
  picture.world = result.spec.world;
  picture.peak = highest->peak.bytes;
  picture.moment = highest->peak.moment;
  picture.at_peak = highest->peak.by_role;
  if (result.spec.program == Program::training || result.spec.program == Program::pipeline)
    picture.law = highest->law.peak;
  bool found = false;
  for (const PhasePeak& phase : highest->phases) {
    const bool peak = !found && phase.phase == picture.moment && total(phase.by_role) == picture.peak;
    found = found || peak;
    picture.bars.push_back({phase.phase, phase.by_role, peak});
  }
  return picture;
}

std::string peak_sentence(const StepPicture& picture) {
  std::string text = fmt::format("peak: {} bytes on rank {} of {}, in {}", thousands(picture.peak), picture.rank,
                                 picture.world, picture.moment);
  if (picture.law) text += "; the law says " + thousands(*picture.law);
  return text;
}

std::string roles_sentence(const RoleBytes& bytes) {
  std::string text;
  for (std::size_t r = 0; r < role_count; ++r)
    if (bytes[r] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(static_cast<Role>(r)), thousands(bytes[r]));
  return text.empty() ? "nothing" : text;
}

}  // namespace shardbench
