#pragma once
#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"

namespace shardbench {

/// `shardbench run`
ExitCode run(const Arguments& arguments);
/// `shardbench list`
ExitCode list(const Arguments& arguments);
/// `shardbench check`
ExitCode check(const Arguments& arguments);
/// `shardbench predict`
ExitCode predict(const Arguments& arguments);
/// `shardbench simulate`
ExitCode simulate(const Arguments& arguments);
/// `shardbench schedule export`
ExitCode schedule(const Arguments& arguments);
/// `shardbench rank`: one rank, in a process that mpirun started for this driver. Not for users. Gives its exit status.
int rank(const Arguments& arguments);
/// `shardbench report`
ExitCode report(const Arguments& arguments);
/// `shardbench compare`
ExitCode compare(const Arguments& arguments);
/// `shardbench history`
ExitCode history(const Arguments& arguments);
/// `shardbench gate-check`
ExitCode gate_check(const Arguments& arguments);

}  // namespace shardbench
