#pragma once
#include <nlohmann/json.hpp>

#include "control/report.hpp"
#include "shardbench/schedule.hpp"

/// JSON forms of what driver and ranks say to each other.

namespace shardbench {

void to_json(nlohmann::json& j, const OperationTraffic& t);
void from_json(const nlohmann::json& j, OperationTraffic& t);
void to_json(nlohmann::json& j, const Traffic& t);
void from_json(const nlohmann::json& j, Traffic& t);
void to_json(nlohmann::json& j, const Law& law);
void from_json(const nlohmann::json& j, Law& law);
void to_json(nlohmann::json& j, const SavedTensors& s);
void from_json(const nlohmann::json& j, SavedTensors& s);
void to_json(nlohmann::json& j, const Peak& p);
void from_json(const nlohmann::json& j, Peak& p);
void to_json(nlohmann::json& j, const PhasePeak& p);
void from_json(const nlohmann::json& j, PhasePeak& p);
void to_json(nlohmann::json& j, const Difference& d);
void from_json(const nlohmann::json& j, Difference& d);
void to_json(nlohmann::json& j, const NotFinite& n);
void from_json(const nlohmann::json& j, NotFinite& n);
void to_json(nlohmann::json& j, const BufferCheck& b);
void from_json(const nlohmann::json& j, BufferCheck& b);
void to_json(nlohmann::json& j, const HeapReport& h);
void from_json(const nlohmann::json& j, HeapReport& h);
void to_json(nlohmann::json& j, const TimedPart& t);
void from_json(const nlohmann::json& j, TimedPart& t);
void to_json(nlohmann::json& j, const RankReport& r);
void from_json(const nlohmann::json& j, RankReport& r);
void to_json(nlohmann::json& j, const StageTime& t);
void from_json(const nlohmann::json& j, StageTime& t);
void to_json(nlohmann::json& j, const StepTime& t);
void from_json(const nlohmann::json& j, StepTime& t);
void to_json(nlohmann::json& j, const Span& s);
void from_json(const nlohmann::json& j, Span& s);
void to_json(nlohmann::json& j, const Action& a);
void from_json(const nlohmann::json& j, Action& a);
void to_json(nlohmann::json& j, const Plan& p);
void from_json(const nlohmann::json& j, Plan& p);

}  // namespace shardbench
