#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/case_result.hpp"
#include "shardbench/role.hpp"

namespace shardbench {

/// What a picture of one audit step shows: the bytes alive on one rank, by role, at the peak of each phase. `bars` and
/// `svg` draw it.
struct StepPicture {
  struct Bar {
    std::string label;  ///< the phase: "backward of unit 3"
    RoleBytes bytes{};
    bool peak = false;  ///< the step's peak is in this phase
  };
  std::string title;  ///< the case's id
  int rank = 0;
  int world = 1;
  std::vector<Bar> bars;  ///< phases in their order
  std::uint64_t peak = 0;
  std::string moment;                ///< the phase of the peak
  RoleBytes at_peak{};               ///< what was alive then
  std::optional<std::uint64_t> law;  ///< the peak by the law

  /// The right end of the scale, at least 1: the law's peak or the largest bar.
  std::uint64_t scale() const;
};

/// The step of the rank with the highest peak, the lowest such rank on ties. Nothing where the case reported no phases.
std::optional<StepPicture> step_picture(const CaseResult& result);

/// "peak: 6,316,064 bytes on rank 0 of 2, in backward of unit 7; the law says 6,316,064".
std::string peak_sentence(const StepPicture& picture);

/// "weights 2,105,344, gradients 1,052,672": roles without bytes are left out.
std::string roles_sentence(const RoleBytes& bytes);

}  // namespace shardbench
