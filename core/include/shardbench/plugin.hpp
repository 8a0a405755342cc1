#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "shardbench/version.hpp"

/// The descriptor that every plugin exports, and the macros that write it.
///
/// It holds its texts in place and comes before anything else: the driver reads it from the file, without running a
/// line of the plugin, and refuses the plugin on any difference (file, field, both values, cure).

namespace shardbench {

class Comm;
struct CommInput;
class Strategy;
struct StrategyInput;
struct Law;
struct LawInput;
struct Plan;
struct ScheduleInput;
struct ScheduleLaw;

/// Changes with any change to a type that crosses the plugin boundary.
inline constexpr std::uint32_t plugin_abi = 3;

enum class PluginKind : std::uint32_t { comm = 1, strategy = 2, schedule = 3 };

struct PluginDescriptor {
  char magic[8];              ///< "SHRDBNCH"
  std::uint32_t struct_size;  ///< sizeof(PluginDescriptor)
  std::uint32_t abi;          ///< plugin_abi
  PluginKind kind;
  std::uint32_t layout_bytes;  ///< `layout_bytes` where it was compiled
  char name[32];               ///< what a suite calls it: lower case letters, digits, '_'
  char version[16];
  char description[160];  ///< one line
  char options[256];  ///< "partition=greedy|flat;bucket_mb=*": names and allowed values, '*' for any; first = default
  char core_version[16];    ///< SHARDBENCH_SDK_VERSION it was compiled with
  char compiler[64];        ///< __VERSION__
  char libstdcxx_abi[16];   ///< "cxx11 1" | "cxx11 0"
  char layout[64];          ///< SHARDBENCH_LAYOUT
  std::uint32_t optimized;  ///< 1 if the compiler optimized, else 0: its times are not what one wants to compare
  std::uint32_t reserved;
  char torch_version[16];  ///< strategies only, else empty
  char launcher[16];       ///< comm only, else empty: what starts its ranks, "fork" or "mpirun"
  Comm* (*create_comm)(const CommInput&);
  void (*destroy_comm)(Comm*);
  /// What mpirun is to be told for these options, word by word; null where the launcher is not mpirun.
  std::vector<std::string> (*mpirun_arguments)(const std::map<std::string, std::string>& options);
  Strategy* (*create_strategy)(const StrategyInput&);
  void (*destroy_strategy)(Strategy*);
  Law (*strategy_law)(const LawInput&);
  Plan (*schedule_plan)(const ScheduleInput&);  ///< throws Error where p, v, m do not fit the schedule
  ScheduleLaw (*schedule_law)(const ScheduleInput&, int rank);
};

/// The exported symbol's name.
inline constexpr const char* plugin_symbol = "shardbench_plugin";

namespace detail {

/// Of every kind of type that crosses the boundary, one. Its size tells of switches that change their layout, whatever
/// those are called (-D_GLIBCXX_DEBUG, -fpack-struct, -fshort-enums).
struct LayoutProbe {
  char byte;
  enum { enumerator } small;
  char after;
  long long number;
  std::string text;
  std::vector<int> list;
  std::map<std::string, std::string> options;
  std::function<void()> call;
};

}  // namespace detail

inline constexpr std::uint32_t layout_bytes = sizeof(detail::LayoutProbe);

namespace detail {

template <std::size_t N>
constexpr void put(char (&field)[N], const char* text) {
  std::size_t i = 0;
  for (; text[i] != '\0'; ++i) {
    if (i + 1 >= N) throw "a text of the plugin descriptor is too long";  // a compile-time error: constexpr
    field[i] = text[i];
  }
}

consteval PluginDescriptor describe_plugin(PluginKind kind, const char* name, const char* version,
                                           const char* description, const char* options, const char* torch_version) {
  PluginDescriptor d{};
  const char magic[] = "SHRDBNCH";
  for (std::size_t i = 0; i < sizeof d.magic; ++i) d.magic[i] = magic[i];
  d.struct_size = sizeof(PluginDescriptor);
  d.abi = plugin_abi;
  d.kind = kind;
  put(d.name, name);
  put(d.version, version);
  put(d.description, description);
  put(d.options, options);
  put(d.core_version, SHARDBENCH_SDK_VERSION);
  put(d.compiler, SHARDBENCH_COMPILER);
  put(d.libstdcxx_abi, SHARDBENCH_LIBSTDCXX_ABI);
  put(d.layout, SHARDBENCH_LAYOUT);
  d.layout_bytes = layout_bytes;
#ifdef __OPTIMIZE__
  d.optimized = 1;
#endif
  put(d.torch_version, torch_version);
  return d;
}

consteval PluginDescriptor describe_comm(PluginDescriptor d, Comm* (*create)(const CommInput&),
                                         void (*destroy)(Comm*)) {
  put(d.launcher, "fork");
  d.create_comm = create;
  d.destroy_comm = destroy;
  return d;
}

consteval PluginDescriptor started_by_mpirun(
    PluginDescriptor d, std::vector<std::string> (*arguments)(const std::map<std::string, std::string>&)) {
  put(d.launcher, "mpirun");
  d.mpirun_arguments = arguments;
  return d;
}

consteval PluginDescriptor describe_strategy(PluginDescriptor d, Strategy* (*create)(const StrategyInput&),
                                             void (*destroy)(Strategy*), Law (*law)(const LawInput&)) {
  d.create_strategy = create;
  d.destroy_strategy = destroy;
  d.strategy_law = law;
  return d;
}

consteval PluginDescriptor describe_schedule(PluginDescriptor d, Plan (*plan)(const ScheduleInput&),
                                             ScheduleLaw (*law)(const ScheduleInput&, int)) {
  d.schedule_plan = plan;
  d.schedule_law = law;
  return d;
}

}  // namespace detail
}  // namespace shardbench

#define SHARDBENCH_EXPORT extern "C" __attribute__((visibility("default"), used))

#define SHARDBENCH_DETAIL_COMM(Class, name, version, description, options)                                            \
  ::shardbench::detail::describe_comm(                                                                                \
      ::shardbench::detail::describe_plugin(::shardbench::PluginKind::comm, name, version, description, options, ""), \
      [](const ::shardbench::CommInput& in) -> ::shardbench::Comm* { return new Class(in); },                         \
      [](::shardbench::Comm* comm) { delete comm; })

/// A comm backend: `Class` is constructed from a CommInput, in ranks that the driver forks.
#define SHARDBENCH_COMM(Class, name, version, description, options)                    \
  SHARDBENCH_EXPORT const constinit ::shardbench::PluginDescriptor shardbench_plugin = \
      SHARDBENCH_DETAIL_COMM(Class, name, version, description, options);

/// A comm backend whose ranks mpirun starts, with what `arguments` gives for the options of a case:
/// std::vector<std::string> arguments(const std::map<std::string, std::string>& options).
#define SHARDBENCH_MPIRUN_COMM(Class, arguments, name, version, description, options)                             \
  SHARDBENCH_EXPORT const constinit ::shardbench::PluginDescriptor shardbench_plugin =                            \
      ::shardbench::detail::started_by_mpirun(SHARDBENCH_DETAIL_COMM(Class, name, version, description, options), \
                                              arguments);

/// A strategy: `Class` is constructed from a StrategyInput; `law` is a function Law(const LawInput&).
#define SHARDBENCH_STRATEGY(Class, law, name, version, description, options)                                    \
  SHARDBENCH_EXPORT const constinit ::shardbench::PluginDescriptor shardbench_plugin =                          \
      ::shardbench::detail::describe_strategy(                                                                  \
          ::shardbench::detail::describe_plugin(::shardbench::PluginKind::strategy, name, version, description, \
                                                options, SHARDBENCH_TORCH_VERSION),                             \
          [](const ::shardbench::StrategyInput& in) -> ::shardbench::Strategy* { return new Class(in); },       \
          [](::shardbench::Strategy* strategy) { delete strategy; }, law);

/// A schedule: `plan` is a function Plan(const ScheduleInput&), `law` a function ScheduleLaw(const ScheduleInput&,
/// int).
#define SHARDBENCH_SCHEDULE(plan, law, name, version, description, options)                                     \
  SHARDBENCH_EXPORT const constinit ::shardbench::PluginDescriptor shardbench_plugin =                          \
      ::shardbench::detail::describe_schedule(                                                                  \
          ::shardbench::detail::describe_plugin(::shardbench::PluginKind::schedule, name, version, description, \
                                                options, ""),                                                   \
          plan, law);
