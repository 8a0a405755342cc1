#include "rank/handed_over.hpp"

#include <cstdint>
#include <string>

#include <c10/core/ScalarType.h>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& cure) {
  throw Error(problem, "the strategy", cure);
}

void require_storage(const at::Tensor& tensor, const std::string& what) {
  if (!tensor.defined()) refuse(what + " is an undefined tensor", "hand over the tensor that the rank keeps");
  if (!tensor.device().is_cpu() || !tensor.has_storage())
    refuse(what + " is on " + tensor.device().str() + (tensor.has_storage() ? "" : " without a storage") +
               ", but ranks keep dense tensors on cpu",
           "keep it in the memory of the CPU");
}

/// Bytes of the storage up to the last element.
std::size_t bytes_to_the_end(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  std::int64_t last = tensor.storage_offset();
  for (std::int64_t d = 0; d < tensor.dim(); ++d) last += (tensor.size(d) - 1) * tensor.stride(d);
  return static_cast<std::size_t>(last + 1) * tensor.element_size();
}

/// That reading its elements stays inside its memory.
void require_memory(const at::Tensor& tensor, const std::string& what) {
  require_storage(tensor, what);
  if (tensor.storage().nbytes() < bytes_to_the_end(tensor))
    refuse(what + " has " + std::to_string(tensor.storage().nbytes()) + " bytes of memory, but its elements need " +
               std::to_string(bytes_to_the_end(tensor)),
           "hand it over while it has its memory");
}

void require_floats(const at::Tensor& tensor, const std::string& what) {
  require_memory(tensor, what);
  if (tensor.scalar_type() != at::kFloat)
    refuse(what + " is of type " + c10::toString(tensor.scalar_type()) + ", but Float is needed",
           "hand it over in the model's type");
}

}  // namespace

Holdings checked_holdings(Holdings holdings) {
  for (const Holding& h : holdings) {
    const std::string what = "holding '" + h.name + "'";
    if (static_cast<std::size_t>(h.role) >= role_count)
      refuse(what + " has role " + std::to_string(static_cast<int>(h.role)) + ", but roles are 0 to " +
                 std::to_string(role_count - 1),
             "give it the role weights, gradients or optimizer");
    require_storage(h.tensor, what);
    if (h.role != Role::optimizer || h.name != "step") continue;
    require_memory(h.tensor, what);
    if (h.tensor.numel() != 1)
      refuse(what + " has " + std::to_string(h.tensor.numel()) + " elements, but the optimizer counts steps with 1",
             "call it something else");
  }
  return holdings;
}

std::vector<GradientPiece> checked_pieces(std::vector<GradientPiece> pieces, const LawInput& shapes) {
  for (const GradientPiece& piece : pieces) {
    if (piece.unit < 0 || static_cast<std::size_t>(piece.unit) >= shapes.units.size())
      refuse("a gradient piece is of unit " + std::to_string(piece.unit) + ", but there are " +
                 std::to_string(shapes.units.size()) + " units",
             "name the unit by its index, from 0");
    const std::string what = "a gradient piece of unit " + std::to_string(piece.unit);
    require_floats(piece.values, what);
    const auto elements =
        static_cast<std::int64_t>(shapes.elements(shapes.units[static_cast<std::size_t>(piece.unit)]));
    if (piece.begin < 0 || piece.begin > elements || piece.values.numel() > elements - piece.begin)
      refuse(what + " begins at element " + std::to_string(piece.begin) + " and has " +
                 std::to_string(piece.values.numel()) + ", but the unit has " + std::to_string(elements),
             "leave the padding out");
  }
  return pieces;
}

void require_whole(const Unit& unit, const LawInput& shapes) {
  const UnitShape& shape = shapes.units.at(static_cast<std::size_t>(unit.index()));
  std::size_t p = 0;
  for (int l = shape.first; l < shape.first + shape.count; ++l)
    for (const std::uint64_t elements : shapes.layers[static_cast<std::size_t>(l)].parameters) {
      const Parameter& parameter = *unit.parameters()[p++];
      require_floats(parameter.value, parameter.name);
      if (static_cast<std::uint64_t>(parameter.value.numel()) != elements)
        refuse(parameter.name + " has " + std::to_string(parameter.value.numel()) + " elements, but the model's has " +
                   std::to_string(elements),
               "gather the whole parameter in before_forward");
    }
}

}  // namespace shardbench
