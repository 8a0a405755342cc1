#include "arguments.hpp"

namespace shardbench::mpi_comm {

std::vector<std::string> mpirun_arguments(const std::map<std::string, std::string>& options) {
  const auto is = [&](const char* option, const char* value) {
    const auto found = options.find(option);
    return found != options.end() && found->second == value;
  };
  std::vector<std::string> words;
  const auto set = [&](const char* parameter, const char* value) {
    words.insert(words.end(), {"--mca", parameter, value});
  };
  if (is("transport", "tcp")) {
    set("pml", "ob1");
    set("btl", "self,tcp");
    set("btl_tcp_if_include", "lo");
  }
  if (is("wait", "yield")) set("mpi_yield_when_idle", "1");
  if (is("wait", "poll")) set("mpi_yield_when_idle", "0");
  for (const char* policy : {"core", "none"})
    if (is("binding", policy)) words.insert(words.end(), {"--bind-to", policy});
  return words;
}

}  // namespace shardbench::mpi_comm
