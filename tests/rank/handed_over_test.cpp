#include "rank/handed_over.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include <ATen/ops/zeros.h>

#include "shardbench/error.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

std::string problem_of(auto call) {
  try {
    call();
  } catch (const Error& e) {
    return e.problem();
  }
  return "nothing was thrown";
}

/// Two units of one layer each, with parameters of 6 + 2 and 3 elements.
LawInput shapes() {
  LawInput in;
  in.layers.resize(2);
  in.layers[0].parameters = {6, 2};
  in.layers[1].parameters = {3};
  in.units = {{0, 1, false}, {1, 1, false}};
  return in;
}

std::string piece_problem(int unit, std::int64_t begin, const at::Tensor& values) {
  return problem_of([&] { checked_pieces(std::vector<GradientPiece>{{unit, begin, values}}, shapes()); });
}

TEST(HandedOver, PiecesInsideTheirUnits) {
  EXPECT_EQ(
      checked_pieces(std::vector<GradientPiece>{{0, 0, at::zeros({8})}, {1, 1, at::zeros({2})}, {1, 3, at::zeros({0})}},
                     shapes())
          .size(),
      3U);
}

TEST(HandedOver, PiecesOfUnitsThatDoNotExist) {
  for (const int unit : {-1, 2, 99})
    EXPECT_EQ(piece_problem(unit, 0, at::zeros({1})),
              "a gradient piece is of unit " + std::to_string(unit) + ", but there are 2 units");
}

TEST(HandedOver, PiecesThatReachOutOfTheirUnit) {
  EXPECT_EQ(piece_problem(0, -1, at::zeros({1})),
            "a gradient piece of unit 0 begins at element -1 and has 1, but the unit has 8");
  EXPECT_EQ(piece_problem(1, 2, at::zeros({2})),
            "a gradient piece of unit 1 begins at element 2 and has 2, but the unit has 3");
  EXPECT_EQ(piece_problem(1, std::numeric_limits<std::int64_t>::max(), at::zeros({1})),
            "a gradient piece of unit 1 begins at element 9223372036854775807 and has 1, but the unit has 3");
}

TEST(HandedOver, PiecesWithoutTheirValues) {
  EXPECT_EQ(piece_problem(0, 0, {}), "a gradient piece of unit 0 is an undefined tensor");
  EXPECT_EQ(piece_problem(0, 0, at::zeros({1}, at::kDouble)),
            "a gradient piece of unit 0 is of type Double, but Float is needed");
  const at::Tensor released = at::zeros({4});
  release_storage(released);
  EXPECT_EQ(piece_problem(0, 0, released),
            "a gradient piece of unit 0 has 0 bytes of memory, but its elements need 16");
}

std::string holding_problem(Role role, const std::string& name, const at::Tensor& tensor) {
  return problem_of([&] { checked_holdings(Holdings{{role, name, tensor}}); });
}

TEST(HandedOver, HoldingsThatAreKept) {
  const Holdings good{{Role::weights, "w", at::zeros({3})}, {Role::optimizer, "step", at::zeros({})}};
  EXPECT_EQ(checked_holdings(good).size(), 2U);
  EXPECT_EQ(holding_problem(Role::weights, "w", {}), "holding 'w' is an undefined tensor");
  EXPECT_EQ(holding_problem(static_cast<Role>(77), "w", at::zeros({3})),
            "holding 'w' has role 77, but roles are 0 to 5");
  EXPECT_EQ(holding_problem(Role::optimizer, "step", at::zeros({3})),
            "holding 'step' has 3 elements, but the optimizer counts steps with 1");
}

class FlatLayer final : public Layer {
 public:
  explicit FlatLayer(const std::vector<std::int64_t>& sizes) {
    for (const auto size : sizes)
      parameters_.push_back({"p" + std::to_string(parameters_.size()), at::zeros({size}), {}});
  }
  at::Tensor forward(const at::Tensor& input) const override { return input; }
  LayerShape shape(std::int64_t, bool) const override { return {}; }
};

TEST(HandedOver, ParametersThatAreWhole) {
  FlatLayer layer({6, 2});
  const Unit unit(0, false, {&layer});
  require_whole(unit, shapes());
  layer.parameters()[1].value = at::zeros({5});
  EXPECT_EQ(problem_of([&] { require_whole(unit, shapes()); }), "p1 has 5 elements, but the model's has 2");
  layer.parameters()[1].value = at::Tensor();
  EXPECT_EQ(problem_of([&] { require_whole(unit, shapes()); }), "p1 is an undefined tensor");
}

}  // namespace
}  // namespace shardbench
