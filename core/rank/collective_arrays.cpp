#include "rank/collective_arrays.hpp"

#include <algorithm>
#include <numeric>

#include "law/collective.hpp"
#include "rank/data.hpp"

namespace shardbench {
namespace {

std::int64_t sum_before(const std::vector<std::size_t>& parts, std::size_t index) {
  return static_cast<std::int64_t>(
      std::accumulate(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(index), std::size_t{0}));
}

std::string text(const std::string& array, std::int64_t index, int call, const Mismatch& mismatch) {
  return array + "[" + std::to_string(index) + "] of call " + std::to_string(call) + ": got " + mismatch.got +
         ", wanted " + mismatch.wanted;
}

}  // namespace

CollectiveArrays::CollectiveArrays(const Case& spec, int rank)
    : spec_(spec),
      operation_(*spec.operation),
      rank_(rank),
      elements_(static_cast<std::int64_t>(array_elements(spec))),
      parts_(even_parts(array_elements(spec), spec.world)) {
  if (exchanges(operation_))
    messages_ = even_parts(array_elements(spec), static_cast<int>(exchange_of(operation_).messages.size()));
  place(spec);
  for (const int root : {0, spec.world - 1})  // here, so that timed calls need no memory
    for (int set = 0; set < sets; ++set) expected({.set = set, .root = root});
}

void CollectiveArrays::place(const Case& spec) {
  const auto mine = static_cast<std::int64_t>(parts_[static_cast<std::size_t>(rank_)]);
  const auto part_of = [&](const at::Tensor& whole) { return whole.narrow(0, offset(rank_), mine); };
  const auto add = [&](const char* name, std::int64_t n) {
    return arrays_.emplace_back(name, static_cast<std::uint64_t>(n), spec.dtype).data();
  };
  const bool reads_only_part = operation_ == Collective::all_gather,
             writes_only_part = operation_ == Collective::reduce_scatter;
  const bool in_place = spec.in_place || operation_ == Collective::broadcast || operation_ == Collective::all_reduce ||
                        operation_ == Collective::reduce_scatter_all_gather;
  if (in_place) {
    input_ = output_ = add("array", elements_);
    own_ = part_of(output_);
    if (reads_only_part) input_ = own_;
    if (writes_only_part) output_ = own_;
    if (writes_only_part) result_begin_ = offset(rank_);
  } else {
    input_ = add("input", reads_only_part ? mine : elements_);
    output_ = add("output", writes_only_part ? mine : elements_);
  }
  result_name_ = arrays_.back().name();
}

void CollectiveArrays::poison() {
  for (auto& array : arrays_) array.poison();
}

void CollectiveArrays::fill_input(const Call& call) {
  if (operation_ == Collective::broadcast && rank_ != call.root) return;
  fill(input_, expected(call).mine, operation_ == Collective::all_gather ? offset(rank_) : 0);
}

void CollectiveArrays::check_result(const Call& call, BufferCheck& found) {
  const auto& slices = expected(call).slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    const at::Tensor got = output_.narrow(0, slice.begin, slice.count);
    const auto wrong =
        slice.sums ? compare(got, *slice.sums, slice.phase) : compare(got, slice.one_period, slice.phase);
    found.checked_elements += static_cast<std::uint64_t>(slice.count);
    if (wrong.elements == 0 || is_another_message(i, call, found)) continue;
    found.wrong_elements += wrong.elements;
    if (found.first_wrong.empty())
      found.first_wrong = text(result_name_, result_begin_ + slice.begin + wrong.first, call.number, wrong);
  }
  if (spec_.values == Values::rounding) check_bits(call, found);
}

/// A sum of the same values has the same bits as before.
void CollectiveArrays::check_bits(const Call& call, BufferCheck& found) {
  const std::uint64_t digest = hash_of(output_);
  auto& first = bits_[static_cast<std::size_t>(call.set)];
  if (!first) {
    first.emplace(call.number, digest);
    found.sum_digests.push_back(digest);
  } else if (first->second != digest && found.changed_sums++ == 0) {
    found.first_changed_sum = "call " + std::to_string(call.number) + " has other bits than call " +
                              std::to_string(first->first) + " of the same values";
  }
}

void CollectiveArrays::check_surroundings(const Call& call, BufferCheck& found) const {
  for (const auto& array : arrays_) array.check_bands(call.number, found);
  if (arrays_.size() < 2 || operation_ == Collective::reduce_scatter) return;  // its input is scratch
  const auto& mine = expected_[static_cast<std::size_t>(call.set)].front().mine;
  const auto changed = compare(input_, mine, operation_ == Collective::all_gather ? offset(rank_) : 0);
  found.input_elements += static_cast<std::uint64_t>(input_.numel());
  found.changed_elements += changed.elements;
  if (changed.elements > 0 && found.first_changed.empty())
    found.first_changed = text(arrays_.front().name(), changed.first, call.number, changed);
}

bool CollectiveArrays::is_another_message(std::size_t index, const Call& call, BufferCheck& found) const {
  if (!exchanges(operation_)) return false;
  const auto& messages = exchange_of(operation_).messages;
  const Pattern values(spec_.dtype, spec_.world, spec_.seed, call.set + 1, spec_.values);
  const at::Tensor got = message(output_, index);
  const auto name = [&](std::size_t i, int from) {
    return std::to_string(i) + " (tag " + std::to_string(messages[i].tag) + ") of rank " + std::to_string(from);
  };
  for (int from = 0; from < spec_.world; ++from)
    for (std::size_t other = 0; other < messages.size(); ++other) {
      if (got.numel() == 0 || messages_[other] != messages_[index]) continue;
      if (compare(got, values.of_rank(from), message_offset(other)).elements > 0) continue;
      if (found.mismatched_messages++ == 0)
        found.first_mismatched = "call " + std::to_string(call.number) + " received message " + name(other, from) +
                                 " in place of " + name(index, sender(index));
      return true;
    }
  return false;
}

const CollectiveArrays::Expected& CollectiveArrays::expected(const Call& call) {
  auto& of_set = expected_[static_cast<std::size_t>(call.set)];
  const auto it = std::find_if(of_set.begin(), of_set.end(), [&](const Expected& e) { return e.root == call.root; });
  return it != of_set.end() ? *it : of_set.emplace_back(expect(call.set, call.root));
}

CollectiveArrays::Expected CollectiveArrays::expect(int set, int root) const {
  const Pattern values(spec_.dtype, spec_.world, spec_.seed, set + 1, spec_.values);
  return {root, values.of_rank(operation_ == Collective::broadcast ? root : rank_), slices(values, root)};
}

std::vector<CollectiveArrays::Slice> CollectiveArrays::slices(const Pattern& values, int root) const {
  const auto reduction = [&](std::int64_t count, std::int64_t phase) -> Slice {
    if (spec_.values == Values::exact) return {0, count, values.reduced(spec_.reduction), phase};
    return {0,
            count,
            {},
            phase,
            RoundedSums{values.exact_sums(), values.magnitudes(), spec_.world, values.fraction_bits()}};
  };
  std::vector<Slice> slices;
  switch (operation_) {
    case Collective::barrier: break;
    case Collective::broadcast: slices.push_back({0, elements_, values.of_rank(root), 0}); break;
    case Collective::all_reduce:
    case Collective::reduce_scatter_all_gather: slices.push_back(reduction(elements_, 0)); break;
    case Collective::reduce_scatter: slices.push_back(reduction(output_.numel(), offset(rank_))); break;
    case Collective::all_gather:
      for (int from = 0; from < spec_.world; ++from)
        slices.push_back({offset(from), offset(from + 1) - offset(from), values.of_rank(from), offset(from)});
      break;
    case Collective::all_to_all: {
      const std::int64_t block = elements_ / spec_.world;
      for (int from = 0; from < spec_.world; ++from)
        slices.push_back({from * block, block, values.of_rank(from), rank_ * block});
      break;
    }
    case Collective::send:
      slices.push_back({0, elements_, values.of_rank((rank_ + spec_.world - 1) % spec_.world), 0});
      break;
    case Collective::send_tags:
    case Collective::send_order:
    case Collective::send_both_ways:
      for (std::size_t i = 0; i < messages_.size(); ++i)
        slices.push_back(
            {message_offset(i), static_cast<std::int64_t>(messages_[i]), values.of_rank(sender(i)), message_offset(i)});
      break;
  }
  return slices;
}

std::int64_t CollectiveArrays::offset(int rank) const { return sum_before(parts_, static_cast<std::size_t>(rank)); }

std::int64_t CollectiveArrays::message_offset(std::size_t index) const { return sum_before(messages_, index); }

at::Tensor CollectiveArrays::message(const at::Tensor& array, std::size_t index) const {
  return array.narrow(0, message_offset(index), static_cast<std::int64_t>(messages_[index]));
}

int CollectiveArrays::sender(std::size_t index) const {
  const int to = exchange_of(operation_).messages[index].to;
  return (rank_ - to + spec_.world) % spec_.world;
}

}  // namespace shardbench
