#pragma once
#include <string>

namespace shardbench {

/// What the exception that is being handled says, for a `catch (...)` around the code of a plugin: "std::runtime_error:
/// the text of its what()", or "an exception of type int" where it is no std::exception. Text that is not UTF-8 is
/// replaced, so that every message can carry it.
std::string caught_text();

}  // namespace shardbench
