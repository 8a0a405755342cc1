#pragma once
#include <string>

#include "draw/step_picture.hpp"

namespace shardbench {

/// The picture as one self-contained SVG document: no script, no fonts or files of others; light or dark as the
/// reader's system asks; title, description and a tooltip for every bar, so that nothing is told by colour alone.
std::string svg(const StepPicture& picture);

}  // namespace shardbench
