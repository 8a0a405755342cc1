#include "cli/program.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "result/temporary_folder.hpp"

namespace shardbench::testing {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void become_program(const std::vector<std::string>& arguments, const fs::path& folder,
                                 const std::map<std::string, std::string>& environment) {
  ::setsid();
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  const int null = ::open("/dev/null", O_RDONLY);
  const int out = ::open("program.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = ::open("program.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const char* name : {"SHARDBENCH_PLUGIN_PATH", "SHARDBENCH_RANK_LIBRARY", "NO_COLOR", "GITHUB_ACTIONS"})
    ::unsetenv(name);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words = {const_cast<char*>(SHARDBENCH_PROGRAM)};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(127);
}

/// Session and state of a process, from /proc/PID/stat: pid (name) state parent group session.
bool in_session(const fs::path& process, pid_t session) {
  std::ifstream file(process / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return false;
  std::istringstream fields(text.substr(end_of_name + 1));
  char state = 0;
  pid_t parent = 0, group = 0, found = 0;
  fields >> state >> parent >> group >> found;
  return found == session && state != 'Z';
}

}  // namespace

Program::Program(std::vector<std::string> arguments, const fs::path& folder,
                 const std::map<std::string, std::string>& environment)
    : folder_(folder), id_(::fork()) {
  if (id_ < 0) throw std::runtime_error("fork failed");
  if (id_ == 0) become_program(arguments, folder, environment);
}

Program::~Program() {
  if (ended_) return;
  for (const pid_t process : processes()) ::kill(process, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

Ended Program::wait(std::chrono::seconds deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  int status = 0;
  while (::waitpid(id_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ended_ = true;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(folder_ / "program.out"),
          contents(folder_ / "program.err")};
}

std::vector<pid_t> Program::processes() const {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos && in_session(entry.path(), id_))
      found.push_back(std::stoi(name));
  }
  return found;
}

Ended run_program(const std::vector<std::string>& arguments, const fs::path& folder,
                  const std::map<std::string, std::string>& environment) {
  return Program(arguments, folder, environment).wait();
}

std::vector<Row> read_csv(const fs::path& file) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  for (const char c : contents(file)) {
    if (c == '"')
      quoted = !quoted;  // a doubled quote inside text is lost, which no test minds
    else if (c == ',' && !quoted)
      lines.back().emplace_back();
    else if (c == '\n' && !quoted)
      lines.emplace_back(1);
    else if (c != '\r')
      lines.back().back() += c;
  }
  lines.pop_back();  // after the last newline
  std::vector<Row> rows;
  for (std::size_t l = 1; l < lines.size(); ++l) {
    if (lines[l].size() != lines[0].size()) throw std::runtime_error(file.string() + ": a row of another width");
    for (std::size_t i = 0; i < lines[l].size(); ++i)
      (i == 0 ? rows.emplace_back() : rows.back())[lines[0][i]] = lines[l][i];
  }
  return rows;
}

fs::path write_file(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace shardbench::testing
