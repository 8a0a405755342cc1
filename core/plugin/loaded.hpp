#pragma once
#include <boost/dll/shared_library.hpp>

#include "plugin/catalogue.hpp"

namespace shardbench {

/// A plugin mapped into this process (rtld_now | rtld_local: no symbol of one plugin binds into another,
/// docs/design.md). It stays mapped until the process ends.
class LoadedPlugin {
 public:
  /// Loads the file and matches its descriptor again. Throws `Error` naming the file and what the loader said
  /// (an undefined symbol, a missing library) and the cure.
  explicit LoadedPlugin(const PluginInfo& info);

  const PluginDescriptor& descriptor() const noexcept { return *descriptor_; }

 private:
  boost::dll::shared_library library_;
  const PluginDescriptor* descriptor_ = nullptr;
};

}  // namespace shardbench
