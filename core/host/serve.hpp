#pragma once

namespace shardbench {

/// The child's side of a PluginHost: answers questions over the socket until the driver closes it. Before each call
/// into a plugin it tells which one that is. Never unloads a plugin. Gives its exit status.
int serve_plugins(int descriptor);

}  // namespace shardbench
