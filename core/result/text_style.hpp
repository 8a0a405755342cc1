#pragma once

namespace shardbench {

/// How text for a terminal may look.
struct TextStyle {
  bool colour = false;  ///< ANSI colours: failures red
};

}  // namespace shardbench
