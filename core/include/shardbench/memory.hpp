#pragma once
#include <cstdint>

#include <ATen/core/TensorBody.h>

#include "shardbench/role.hpp"

namespace shardbench {

/// While it lives, memory allocated by this thread is counted under `role`.
///
///     RoleScope scope(Role::communication);
///     at::Tensor buffer = at::empty({n});  // counted as communication
class RoleScope {
 public:
  explicit RoleScope(Role role) noexcept;
  ~RoleScope();
  RoleScope(const RoleScope&) = delete;
  RoleScope& operator=(const RoleScope&) = delete;

 private:
  Role previous_;
};

/// Counts the tensor's storage under `role` from now on. Tensors that the allocator did not make are left alone.
void tag(const at::Tensor& tensor, Role role) noexcept;

/// Gives a tensor's memory back and keeps the objects: views and saved tensors of it hold nothing until
/// `restore_storage`.
void release_storage(const at::Tensor& tensor);
/// Gives a released tensor memory again, of unspecified content.
void restore_storage(const at::Tensor& tensor, std::uint64_t bytes, Role role);

/// Bytes of the storage behind a tensor.
std::uint64_t storage_bytes(const at::Tensor& tensor);

}  // namespace shardbench
