#include "control/caught.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include <cxxabi.h>
#include <nlohmann/json.hpp>

namespace shardbench {
namespace {

std::string type_of_caught() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                    &std::free);
  return status == 0 ? name.get() : type->name();
}

std::string valid_utf8(const std::string& text) {
  const auto quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(quoted).get<std::string>();
}

}  // namespace

std::string caught_text() {
  const std::string type = type_of_caught();
  try {
    throw;
  } catch (const std::exception& e) {
    return type + ": " + valid_utf8(e.what());
  } catch (...) {
    return "an exception of type " + type;
  }
}

}  // namespace shardbench
