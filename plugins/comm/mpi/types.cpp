#include "types.hpp"

#include <limits>
#include <string>

#include "comm/mpi/library.hpp"
#include "comm/reduce.hpp"
#include "shardbench/error.hpp"

namespace shardbench::mpi_comm {
namespace {

/// MPI's form of a reduction: inout = in op inout.
template <DType dtype, ReduceOp op>
void reduce_halves(void* in, void* inout, int* count, MPI_Datatype*) {
  reduce(inout, in, inout, static_cast<std::size_t>(*count), dtype, op);
}

MPI_Op made_of(MPI_User_function* function) {
  MPI_Op op = MPI_OP_NULL;
  check(MPI_Op_create(function, 1, &op), "MPI_Op_create");
  return op;
}

/// Made on first use and kept until the process ends.
template <DType dtype>
MPI_Op half_op(ReduceOp op) {
  static const MPI_Op sum = made_of(reduce_halves<dtype, ReduceOp::sum>);
  static const MPI_Op max = made_of(reduce_halves<dtype, ReduceOp::max>);
  static const MPI_Op min = made_of(reduce_halves<dtype, ReduceOp::min>);
  return op == ReduceOp::sum ? sum : op == ReduceOp::max ? max : min;
}

}  // namespace

MPI_Datatype type_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::float32: return MPI_FLOAT;
    case DType::float64: return MPI_DOUBLE;
    case DType::bfloat16:
    case DType::float16: return MPI_UINT16_T;
    case DType::int32: return MPI_INT32_T;
    case DType::int64: return MPI_INT64_T;
    case DType::uint8: return MPI_UINT8_T;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op op_of(DType dtype, ReduceOp op) {
  if (dtype == DType::bfloat16) return half_op<DType::bfloat16>(op);
  if (dtype == DType::float16) return half_op<DType::float16>(op);
  return op == ReduceOp::sum ? MPI_SUM : op == ReduceOp::max ? MPI_MAX : MPI_MIN;
}

int count_of(std::size_t count, const char* what) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (count > most)
    throw Error(
        std::string(what) + " of " + std::to_string(count) + " elements, but MPI 3 counts to " + std::to_string(most),
        "backend mpi", "use a smaller model or more units");
  return static_cast<int>(count);
}

}  // namespace shardbench::mpi_comm
