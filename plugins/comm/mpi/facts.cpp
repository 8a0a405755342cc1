#include "facts.hpp"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "comm/mpi/library.hpp"

namespace shardbench::mpi_comm {
namespace {

/// MPI_T for as long as it lives.
class ControlVariables {
 public:
  ControlVariables() {
    int provided = 0;
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  }
  ~ControlVariables() { MPI_T_finalize(); }
  ControlVariables(const ControlVariables&) = delete;
  ControlVariables& operator=(const ControlVariables&) = delete;

  /// The value of a variable as text (an enumerated one by its name), or nothing where this MPI has no such variable.
  std::optional<std::string> read(const char* name) const {
    int index = 0;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return std::nullopt;
    int name_length = 0, verbosity = 0, description_length = 0, binding = 0, scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum names = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &type, &names, nullptr, &description_length,
                            &binding, &scope) != MPI_SUCCESS)
      return std::nullopt;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
    std::optional<std::string> value;
    if (type == MPI_CHAR) {
      std::vector<char> text(static_cast<std::size_t>(std::max(count, 1)) + 1, '\0');
      if (MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS) value = text.data();
    } else if (type == MPI_C_BOOL) {
      bool is = false;
      if (MPI_T_cvar_read(handle, &is) == MPI_SUCCESS) value = is ? "true" : "false";
    } else if (type == MPI_INT) {
      int number = 0;
      if (MPI_T_cvar_read(handle, &number) == MPI_SUCCESS)
        value = names == MPI_T_ENUM_NULL ? std::to_string(number) : item_named(names, number);
    }
    MPI_T_cvar_handle_free(&handle);
    return value;
  }

 private:
  static std::string item_named(MPI_T_enum names, int value) {
    int items = 0, length = 0;
    if (MPI_T_enum_get_info(names, &items, nullptr, &length) == MPI_SUCCESS)
      for (int i = 0; i < items; ++i) {
        std::array<char, 64> text{};
        int item = 0, size = static_cast<int>(text.size());
        if (MPI_T_enum_get_item(names, i, &item, text.data(), &size) == MPI_SUCCESS && item == value)
          return text.data();
      }
    return std::to_string(value);
  }
};

/// "4.1.4" of "Open MPI v4.1.4, package: ...".
std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  std::string version = text;
  version = version.substr(0, version.find(','));
  const auto v = version.find(" v");
  return v == std::string::npos ? version : version.substr(v + 2);
}

int cores_allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

CommDescription look_up() {
  const ControlVariables variables;
  CommDescription d;
  d.library = "Open MPI";
  d.version = library_version();
  const std::string btl = variables.read("btl").value_or("");
  const std::string interface = variables.read("btl_tcp_if_include").value_or("");
  const bool tcp = btl.find("tcp") != std::string::npos && btl.find("vader") == std::string::npos;
  const std::string single_copy = variables.read("btl_vader_single_copy_mechanism").value_or("");
  d.transport = tcp ? "tcp on " + (interface.empty() ? "any interface" : interface)
                    : "shared memory (vader, single copy " + (single_copy.empty() ? "unknown" : single_copy) + ")";
  const std::string yields = variables.read("mpi_yield_when_idle").value_or("");
  d.wait_mode = yields == "true" || yields == "1" ? "yielding" : "polling";
  d.details["btl"] = btl.empty() ? "chosen by the library" : btl;
  d.details["single_copy"] = tcp ? "none" : single_copy;
  d.details["pml"] = variables.read("pml").value_or("");
  d.details["oversubscribed"] = variables.read("mpi_oversubscribe").value_or("unknown");
  d.details["binding"] =
      "to " + std::to_string(cores_allowed()) + " of " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " cores";
  return d;
}

}  // namespace

const CommDescription& describe_mpi() {
  static const CommDescription description = look_up();
  return description;
}

}  // namespace shardbench::mpi_comm
