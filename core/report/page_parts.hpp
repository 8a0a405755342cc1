#pragma once
#include <string_view>

/// The files of page/ and the library of charts, embedded when the program is built (embed.cmake).

namespace shardbench::page_parts {

extern const std::string_view page;     ///< page.html, with @title@, @nonce@, @style@, @library@, @script@ and @data@
extern const std::string_view style;    ///< the style sheets
extern const std::string_view script;   ///< the page's own scripts
extern const std::string_view library;  ///< Chart.js, minified, with its licence's notice

}  // namespace shardbench::page_parts
