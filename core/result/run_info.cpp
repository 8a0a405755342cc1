#include "result/run_info.hpp"

#include <fmt/chrono.h>
#include <ctime>

namespace shardbench {
namespace {

std::tm utc(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc(time));
}

std::string utc_compact(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", utc(time));
}

}  // namespace shardbench
