#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shardbench::testing {

/// How a program ended and what it wrote.
struct Ended {
  int status = -1;  ///< exit status, or 128 + the signal that ended it
  std::string out, err;
};

/// The built `shardbench`, running in a folder and in a session of its own, its output in files: no terminal.
class Program {
 public:
  /// `environment` comes on top of the test's own; variables that steer Shardbench are taken out of that.
  Program(std::vector<std::string> arguments, const std::filesystem::path& folder,
          const std::map<std::string, std::string>& environment = {});
  /// Ends it and all its session.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t id() const noexcept { return id_; }
  /// Waits for the end; past the deadline everything is killed and the status is -1.
  Ended wait(std::chrono::seconds deadline = std::chrono::seconds(120));
  /// Processes of its session that have not ended, itself included: its ranks are in it whatever group they form.
  std::vector<pid_t> processes() const;

 private:
  std::filesystem::path folder_;
  pid_t id_ = -1;
  bool ended_ = false;
};

/// Runs it to its end.
Ended run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const std::map<std::string, std::string>& environment = {});

/// Rows of a CSV file, by column. Throws where a row has not as many cells as the first.
using Row = std::map<std::string, std::string>;
std::vector<Row> read_csv(const std::filesystem::path& file);

/// Writes the text and gives the file back.
std::filesystem::path write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace shardbench::testing
