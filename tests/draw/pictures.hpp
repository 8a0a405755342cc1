#pragma once
#include "check/good_case.hpp"
#include "draw/step_picture.hpp"

namespace shardbench::testing {

/// Three phases of easy numbers: on 48 columns, 1,000 bytes take one.
inline StepPicture small_picture() {
  StepPicture p;
  p.title = "training/zero3/gloo/small/world=2/unit=layer/adamw";
  p.rank = 1;
  p.world = 2;
  p.peak = 48000;
  p.moment = "backward of unit 0";
  p.at_peak = {16000, 8000, 16000, 4000, 0, 4000};
  p.law = 48000;
  p.bars = {{"start", {8000, 0, 16000, 0, 0, 0}, false},
            {"forward of unit 0", {16000, 0, 16000, 2000, 2000, 0}, false},
            {"backward of unit 0", p.at_peak, true}};
  return p;
}

/// zero2 at world 2 with rank 1 above rank 0.
inline CaseResult case_with_phases() {
  CaseResult result = good_training(2);
  for (auto& r : result.launches[0].ranks) {
    r.peak = {2000, {1000, 600, 400, 0, 0, 0}, "update"};
    r.phases = {{"loss", {1000, 0, 400, 100, 0, 0}}, {"update", {1000, 600, 400, 0, 0, 0}}};
    r.law.peak = 2000;
  }
  auto& high = result.launches[0].ranks[1];
  high.peak = {3000, {1000, 600, 400, 1000, 0, 0}, "loss"};
  high.phases[0].by_role = high.peak.by_role;
  high.law.peak = 3000;
  return result;
}

}  // namespace shardbench::testing
