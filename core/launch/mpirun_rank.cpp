#include "launch/mpirun_rank.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include "control/channel.hpp"
#include "launch/rank_processes.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

int number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  const std::string_view value = text == nullptr ? "" : text;
  int number = 0;
  if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc{})
    throw Error(std::string(name) + " is '" + std::string(value) + "', so this rank does not know which one it is",
                "shardbench rank", "this command is for shardbench alone, which starts it by Open MPI's mpirun");
  return number;
}

void write_to(const std::filesystem::path& log) {
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (out < 0) throw Error(std::string("a rank's log cannot be written: ") + std::strerror(errno), log.string());
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::close(out);
}

}  // namespace

RankStart join_driver(const std::filesystem::path& folder) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int rank = number_in_environment("OMPI_COMM_WORLD_RANK"), world = number_in_environment("OMPI_COMM_WORLD_SIZE");
  write_to(rank_log(folder, rank));
  boost::asio::io_context io;
  boost::asio::local::stream_protocol::socket socket(io);
  boost::system::error_code failed;
  socket.connect(socket_file(folder).string(), failed);
  if (failed) throw Error("the driver cannot be reached: " + failed.message(), socket_file(folder).string());
  const std::string hello =
      encode({{"type", "hello"}, {"rank", rank}, {"world", world}, {"process", static_cast<int>(::getpid())}});
  boost::asio::write(socket, boost::asio::buffer(hello));
  return {rank, world, socket.release()};
}

std::filesystem::path socket_file(const std::filesystem::path& folder) { return folder / "socket"; }

}  // namespace shardbench
