#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include <ATen/core/TensorBody.h>

namespace shardbench {

/// Averaged gradients that a rank showed: elements of all parameters laid end to end, from `begin` on.
struct ShownPiece {
  std::int64_t begin = 0;
  std::vector<float> values;
};

/// What a rank showed in one checked step.
struct ShownGradients {
  int step = 0;  ///< from 0
  std::vector<ShownPiece> pieces;
  std::vector<float> own;  ///< gradients of its own rows alone, of all parameters end to end; empty: not kept
};

/// A rank's record, in the folder of its group.
std::filesystem::path record_of(const std::filesystem::path& folder, int rank);

/// Writes the gradients that a rank updates with, step by step, into a file: what is measured must not hold them.
class GradientWriter {
 public:
  /// Begins the file anew.
  explicit GradientWriter(std::filesystem::path file);
  /// One piece: `values` belong at `begin` of all parameters laid end to end. Throws `Error` where it cannot write.
  struct Piece {
    std::int64_t begin = 0;
    at::Tensor values;
  };
  void add(int step, const std::vector<Piece>& pieces, const std::vector<float>& own);
  /// A hash of all values written so far.
  std::uint64_t hash() const noexcept { return hash_; }

 private:
  std::filesystem::path file_;
  std::ofstream out_;
  std::uint64_t hash_;
};

/// Reads what a GradientWriter wrote, in order.
class GradientReader {
 public:
  explicit GradientReader(const std::filesystem::path& file);
  /// The next step, or nothing at the end. Throws `Error` where the file is cut short.
  std::optional<ShownGradients> next();

 private:
  std::filesystem::path file_;
  std::ifstream in_;
};

}  // namespace shardbench
