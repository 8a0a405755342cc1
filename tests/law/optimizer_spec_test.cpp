#include "shardbench/optimizer_spec.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace shardbench {
namespace {

constexpr std::uint64_t bytes_of_float = 4;

/// The notebook's model: 8 x Linear(256, 256), 526336 parameters in 16 tensors.
std::vector<std::uint64_t> notebook_tensors() {
  std::vector<std::uint64_t> tensors;
  for (int layer = 0; layer < 8; ++layer) tensors.insert(tensors.end(), {256 * 256, 256});
  return tensors;
}

// Measured by the notebook with PyTorch 2.13: 8 bytes per parameter and 4 of `step` per tensor.
TEST(OptimizerStateBytes, OfAdamWAsTheNotebookMeasures) {
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, notebook_tensors(), bytes_of_float), 4210752u);
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, std::vector<std::uint64_t>{526336}, bytes_of_float), 4210692u);
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, std::vector<std::uint64_t>{263168}, bytes_of_float), 2105348u);
}

TEST(OptimizerStateBytes, OfTheOthers) {
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::momentum, notebook_tensors(), bytes_of_float), 2105344u);
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::sgd, notebook_tensors(), bytes_of_float), 0u);
}

TEST(OptimizerStateBytes, OfNothing) {
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, std::vector<std::uint64_t>{}, bytes_of_float), 0u);
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, std::vector<std::uint64_t>{0}, bytes_of_float),
            4u);  // its step
  EXPECT_EQ(optimizer_state_bytes(OptimizerKind::momentum, std::vector<std::uint64_t>{0}, bytes_of_float), 0u);
}

// A remainder goes through vectors of 16: values, gradients and the state, 4 tensors for AdamW.
TEST(OptimizerTemporaryBytes, AreVectorsOfTheRemaindersAlone) {
  const std::vector<std::uint64_t> tensors = {16, 17, 31, 32, 0};
  EXPECT_EQ(optimizer_temporary_bytes(OptimizerKind::adamw, tensors, bytes_of_float), 2u * 16 * 4 * 4);
  EXPECT_EQ(optimizer_temporary_bytes(OptimizerKind::momentum, tensors, bytes_of_float), 2u * 16 * 3 * 4);
  EXPECT_EQ(optimizer_temporary_bytes(OptimizerKind::sgd, tensors, bytes_of_float), 2u * 16 * 2 * 4);
  EXPECT_EQ(optimizer_temporary_bytes(OptimizerKind::adamw, notebook_tensors(), bytes_of_float), 0u);
}

}  // namespace
}  // namespace shardbench
