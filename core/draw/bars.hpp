#pragma once
#include <string>

#include "draw/step_picture.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// How bars look on a terminal. Roles differ by their character and only then by colour, so that nothing is lost
/// without colours or to a reader who cannot tell them apart.
struct BarStyle {
  TextStyle text = {};
  bool unicode = false;  ///< block elements; else a letter for each role
  int columns = 48;      ///< of the longest bar
};

/// Stacked bars, one line per phase, with the law's peak as a mark in every line; then what the peak was, and a legend.
std::string bars(const StepPicture& picture, const BarStyle& style);

/// What environment variables say of the terminal's characters: the first of LC_ALL, LC_CTYPE and LANG that is set
/// names UTF-8. Null and empty count as not set.
bool names_utf8(const char* lc_all, const char* lc_ctype, const char* lang);
/// The same of this process's environment.
bool unicode_wanted();

}  // namespace shardbench
