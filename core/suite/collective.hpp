#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "shardbench/comm.hpp"

namespace shardbench {

/// What a case of the program `collective` runs and times: an operation of the backend, or the all-reduce that is put
/// together from two of them.
enum class Collective : std::uint8_t {
  barrier,
  broadcast,
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  send,                       ///< a message goes once round all ranks; at world 2 a ping-pong
  reduce_scatter_all_gather,  ///< an all-reduce as its two halves, for comparison with `all_reduce`
  send_tags,                  ///< two messages of different tags to a neighbour, received in the other order
  send_order,                 ///< several messages of one tag to a neighbour, all outstanding
  send_both_ways              ///< messages to both neighbours and from both, all outstanding
};

inline constexpr std::array all_collectives = {
    Collective::barrier,    Collective::broadcast,  Collective::all_reduce,    Collective::reduce_scatter,
    Collective::all_gather, Collective::all_to_all, Collective::send,          Collective::reduce_scatter_all_gather,
    Collective::send_tags,  Collective::send_order, Collective::send_both_ways};

constexpr std::string_view name_of(Collective operation) noexcept {
  constexpr std::string_view names[] = {"barrier",    "broadcast",  "all_reduce",    "reduce_scatter",
                                        "all_gather", "all_to_all", "send",          "reduce_scatter_all_gather",
                                        "send_tags",  "send_order", "send_both_ways"};
  return names[static_cast<std::size_t>(operation)];
}

/// The collective of that name, or nothing.
constexpr std::optional<Collective> collective_named(std::string_view name) noexcept {
  for (const Collective operation : all_collectives)
    if (name_of(operation) == name) return operation;
  return std::nullopt;
}

/// The reduction of that name, or nothing.
constexpr std::optional<ReduceOp> reduction_named(std::string_view name) noexcept {
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min})
    if (name_of(op) == name) return op;
  return std::nullopt;
}

/// Whether there is an array at all, so that bytes and dtype mean something.
constexpr bool has_array(Collective operation) noexcept { return operation != Collective::barrier; }

/// Whether it has a `ReduceOp`.
constexpr bool reduces(Collective operation) noexcept {
  return operation == Collective::all_reduce || operation == Collective::reduce_scatter ||
         operation == Collective::reduce_scatter_all_gather;
}

/// Whether it has a form in place and one out of place.
constexpr bool may_be_in_place(Collective operation) noexcept {
  return operation == Collective::reduce_scatter || operation == Collective::all_gather;
}

/// Whether it exchanges several messages with the neighbours at once (`exchange_of`, law/collective.hpp).
constexpr bool exchanges(Collective operation) noexcept {
  return operation == Collective::send_tags || operation == Collective::send_order ||
         operation == Collective::send_both_ways;
}

/// Whether it needs another rank.
constexpr bool needs_a_peer(Collective operation) noexcept {
  return operation == Collective::send || exchanges(operation);
}

/// What the arrays hold: values of which every sum is exact, or floating-point values of which sums are rounded, so
/// that the result depends on the order of additions.
enum class Values : std::uint8_t { exact, rounding };

constexpr std::string_view name_of(Values values) noexcept { return values == Values::exact ? "exact" : "rounding"; }

/// "64KiB", "16MiB", "2GiB" where it is a whole number of them, else "100B".
inline std::string size_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair{30, "GiB"}, {20, "MiB"}, {10, "KiB"}})
    if (bytes != 0 && bytes % (std::uint64_t{1} << shift) == 0) return std::to_string(bytes >> shift) + unit;
  return std::to_string(bytes) + "B";
}

}  // namespace shardbench
