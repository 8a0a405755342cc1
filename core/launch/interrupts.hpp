#pragma once

namespace shardbench {

/// Set by the driver's signal handlers; whoever waits for ranks gives up when it is true.
bool interrupted() noexcept;
/// From now on SIGINT, SIGTERM and SIGHUP set `interrupted`, once; a second one ends the driver.
void watch_interrupts();

}  // namespace shardbench
