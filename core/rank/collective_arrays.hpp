#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "control/report.hpp"
#include "rank/guarded_array.hpp"
#include "rank/pattern.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// The arrays of one rank of a collective: what a call reads, where its result goes, and what has to be in them
/// afterwards. Results and inputs lie between guard bands. In place, input and output are one array.
class CollectiveArrays {
 public:
  /// Two sets of values, so that what one call leaves is wrong for the next one.
  static constexpr int sets = 2;
  struct Call {
    int number = 1;
    int set = 0;
    int root = 0;  ///< of a broadcast
  };

  /// `spec` is not a barrier's.
  CollectiveArrays(const Case& spec, int rank);

  /// What the backend is given. Of operations that work in place alone both are the whole array.
  const at::Tensor& input() const noexcept { return input_; }
  const at::Tensor& output() const noexcept { return output_; }
  /// This rank's part of the whole array (reduce_scatter, all_gather and the composite of both).
  const at::Tensor& own() const noexcept { return own_; }
  /// Message `index` of an exchange, in the input or the output.
  at::Tensor message(const at::Tensor& array, std::size_t index) const;
  /// Elements of each rank, as even as they can be.
  const std::vector<std::size_t>& parts() const noexcept { return parts_; }

  /// Makes every byte of the arrays one that no right result is made of, and the bands whole.
  void poison();
  /// Gives the input the values of the call.
  void fill_input(const Call& call);
  /// Adds what is wrong in the result.
  void check_result(const Call& call, BufferCheck& found);
  /// Adds what is changed in an input that is only read, and in the bands.
  void check_surroundings(const Call& call, BufferCheck& found) const;

 private:
  /// A part of the result and what it has to be: `count` elements from `begin` on are those from `phase` on of the
  /// array that repeats `one_period`, or that `sums` says.
  struct Slice {
    std::int64_t begin, count;
    at::Tensor one_period;
    std::int64_t phase;
    std::optional<RoundedSums> sums = {};
  };
  struct Expected {
    int root;
    at::Tensor mine;  ///< one period of this rank's array
    std::vector<Slice> slices;
  };

  void place(const Case& spec);
  Expected expect(int set, int root) const;
  std::vector<Slice> slices(const Pattern& values, int root) const;
  const Expected& expected(const Call& call);
  /// Where part `rank` of the array begins.
  std::int64_t offset(int rank) const;
  std::int64_t message_offset(std::size_t index) const;
  /// The rank that message `index` of an exchange comes from.
  int sender(std::size_t index) const;
  /// Whether there is another message in the place of message `index`; then that is counted.
  bool is_another_message(std::size_t index, const Call& call, BufferCheck& found) const;
  void check_bits(const Call& call, BufferCheck& found);

  const Case& spec_;
  Collective operation_;
  int rank_;
  std::int64_t elements_;  ///< of the whole array
  std::vector<std::size_t> parts_, messages_;
  std::vector<GuardedArray> arrays_;
  at::Tensor input_, output_, own_;
  std::string result_name_;
  std::int64_t result_begin_ = 0;  ///< where the output begins in its array
  std::array<std::vector<Expected>, sets> expected_;
  std::array<std::optional<std::pair<int, std::uint64_t>>, sets> bits_;  ///< of the first call: number and digest
};

}  // namespace shardbench
