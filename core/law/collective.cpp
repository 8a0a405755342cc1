#include "law/collective.hpp"

#include <string>

#include "shardbench/error.hpp"

namespace shardbench {

std::uint64_t array_elements(const Case& spec) { return spec.bytes / size_of(spec.dtype); }

const Exchange& exchange_of(Collective operation) {
  static const Exchange tags{{{1, 1}, {1, 2}}, {1, 0}, true};
  static const Exchange order{{{1, 0}, {1, 0}, {1, 0}, {1, 0}}, {0, 1, 2, 3}};
  static const Exchange both_ways{{{1, 0}, {-1, 1}, {1, 2}, {-1, 3}}, {3, 2, 1, 0}};
  switch (operation) {
    case Collective::send_tags: return tags;
    case Collective::send_order: return order;
    case Collective::send_both_ways: return both_ways;
    default: throw Error("the operation " + std::string(name_of(operation)) + " exchanges no messages");
  }
}

Traffic collective_traffic(const Case& spec, int rank) {
  if (!spec.operation) throw Error("the case has no operation", spec.id);
  const auto n = array_elements(spec);
  const auto parts = even_parts(n, spec.world);
  const auto element = size_of(spec.dtype);
  Traffic traffic;
  switch (*spec.operation) {
    case Collective::barrier: add_call(traffic, Operation::barrier, 0, {}, element); break;
    case Collective::broadcast:
      add_call(traffic, Operation::broadcast, n, wire::broadcast(n, spec.world, rank, timed_root), element);
      break;
    case Collective::all_reduce:
      add_call(traffic, Operation::all_reduce, n, wire::all_reduce(n, spec.world, rank), element);
      break;
    case Collective::reduce_scatter:
      add_call(traffic, Operation::reduce_scatter, n, wire::reduce_scatter(parts, rank), element);
      break;
    case Collective::all_gather:
      add_call(traffic, Operation::all_gather, n, wire::all_gather(parts, rank), element);
      break;
    case Collective::all_to_all:
      add_call(traffic, Operation::all_to_all, n,
               wire::all_to_all(n / static_cast<std::uint64_t>(spec.world), spec.world), element);
      break;
    case Collective::send:
      add_call(traffic, Operation::send, n, {n, 0}, element);
      add_call(traffic, Operation::recv, n, {0, n}, element);
      break;
    case Collective::send_tags:
    case Collective::send_order:
    case Collective::send_both_ways:
      for (const auto part : even_parts(n, static_cast<int>(exchange_of(*spec.operation).messages.size()))) {
        add_call(traffic, Operation::send, part, {part, 0}, element);
        add_call(traffic, Operation::recv, part, {0, part}, element);
      }
      break;
    case Collective::reduce_scatter_all_gather:
      add_call(traffic, Operation::reduce_scatter, n, wire::reduce_scatter(parts, rank), element);
      add_call(traffic, Operation::all_gather, n, wire::all_gather(parts, rank), element);
      break;
  }
  return traffic;
}

std::optional<double> bus_share(Collective operation, int world) {
  if (world < 2) return std::nullopt;
  const double f = static_cast<double>(world - 1) / world;
  switch (operation) {
    case Collective::barrier: return std::nullopt;
    case Collective::broadcast:
    case Collective::send:
    case Collective::send_tags:
    case Collective::send_order:
    case Collective::send_both_ways: return 1;
    case Collective::all_reduce:
    case Collective::reduce_scatter_all_gather: return 2 * f;
    case Collective::reduce_scatter:
    case Collective::all_gather:
    case Collective::all_to_all: return f;
  }
  return std::nullopt;
}

Bandwidth bandwidth(const Case& spec, double seconds) {
  const auto share = spec.operation ? bus_share(*spec.operation, spec.world) : std::nullopt;
  if (!share || !(seconds > 0)) return {};
  const double algbw = static_cast<double>(spec.bytes) / seconds;
  return {algbw, algbw * *share};
}

}  // namespace shardbench
