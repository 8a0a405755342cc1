#include "measure/allocator.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <ATen/core/TensorBody.h>
#include <c10/core/Allocator.h>

#include "measure/heap.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

constexpr std::size_t header_bytes = 64;  // keeps the data aligned for vector loads

struct Header {
  std::uint64_t bytes;
  std::atomic<Role> role;
};
static_assert(sizeof(Header) <= header_bytes);

/// What malloc takes for a block besides its bytes: the header, malloc's own 8 bytes, and 8 more on the average of
/// sizes that are rounded up to 16.
constexpr std::uint64_t block_overhead = header_bytes + 16;

std::atomic<std::uint64_t> live[role_count];
/// Bytes in all roles, and `one_block` for each block: one addition counts both.
std::atomic<std::uint64_t> live_total;
constexpr std::uint64_t one_block = std::uint64_t{1} << 40;
thread_local Role current_role = Role::temporary;

/// What is followed during an audit step. Only the rank's own thread allocates then.
struct Follower {
  bool on = false;
  std::string phase;
  std::uint64_t phase_peak = 0;
  RoleBytes phase_roles{};
  measure::PeakReport report;
};
Follower& follower() {
  static Follower instance;
  return instance;
}

RoleBytes snapshot() {
  RoleBytes bytes{};
  for (std::size_t r = 0; r < role_count; ++r) bytes[r] = live[r].load(std::memory_order_relaxed);
  return bytes;
}

void count(Role role, std::uint64_t bytes) {
  live[static_cast<std::size_t>(role)].fetch_add(bytes, std::memory_order_relaxed);
  const auto now = (live_total.fetch_add(bytes + one_block, std::memory_order_relaxed) + bytes) % one_block;
  Follower& f = follower();
  if (f.on && now > f.phase_peak) {
    f.phase_peak = now;
    f.phase_roles = snapshot();
  }
}

void uncount(Role role, std::uint64_t bytes) {
  live[static_cast<std::size_t>(role)].fetch_sub(bytes, std::memory_order_relaxed);
  live_total.fetch_sub(bytes + one_block, std::memory_order_relaxed);
}

Header* header_of(void* data) { return reinterpret_cast<Header*>(static_cast<char*>(data) - header_bytes); }

void release(void* data) {
  if (data == nullptr) return;
  Header* header = header_of(data);
  uncount(header->role.load(std::memory_order_relaxed), header->bytes);
  std::free(header);
}

class MeteredAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (bytes == 0) return {nullptr, nullptr, &release, cpu};
    if (bytes > SIZE_MAX - header_bytes) throw std::bad_alloc();
    void* block = nullptr;
    if (::posix_memalign(&block, header_bytes, bytes + header_bytes) != 0) throw std::bad_alloc();
    auto* header = new (block) Header{bytes, {current_role}};
    void* data = reinterpret_cast<char*>(header) + header_bytes;
    count(current_role, bytes);
    return {data, data, &release, cpu};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

MeteredAllocator& allocator() {
  static MeteredAllocator instance;
  return instance;
}

/// Installed when the library is loaded, before any tensor of ours exists.
const bool installed = [] {
  c10::SetAllocator(c10::DeviceType::CPU, &allocator(), 255);
  return true;
}();

bool ours(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return false;
  const auto& data = tensor.storage().data_ptr();
  return data.get() != nullptr && data.get_deleter() == &release;
}

void close_phase(Follower& f) {
  auto& peak = f.report.peak;
  if (f.phase_peak > peak.bytes) peak = {f.phase_peak, f.phase_roles, f.phase};
  f.report.phases.push_back({f.phase, f.phase_roles});
}

void open_phase(Follower& f, const std::string& phase) {
  f.phase = phase;
  f.phase_roles = snapshot();
  f.phase_peak = total(f.phase_roles);
  f.report.heap_peak = std::max(f.report.heap_peak, measure::heap_bytes());
}

}  // namespace

RoleScope::RoleScope(Role role) noexcept : previous_(std::exchange(current_role, role)) {}
RoleScope::~RoleScope() { current_role = previous_; }

void tag(const at::Tensor& tensor, Role role) noexcept {
  if (!ours(tensor)) return;
  Header* header = header_of(tensor.storage().data_ptr().get());
  const Role before = header->role.exchange(role, std::memory_order_relaxed);
  live[static_cast<std::size_t>(before)].fetch_sub(header->bytes, std::memory_order_relaxed);
  live[static_cast<std::size_t>(role)].fetch_add(header->bytes, std::memory_order_relaxed);
}

void release_storage(const at::Tensor& tensor) {
  c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  storage->set_data_ptr_noswap(allocator().allocate(0));
  storage->set_nbytes(0);
}

void restore_storage(const at::Tensor& tensor, std::uint64_t bytes, Role role) {
  const RoleScope scope(role);
  c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  storage->set_data_ptr_noswap(allocator().allocate(bytes));
  storage->set_nbytes(bytes);
}

std::uint64_t storage_bytes(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.storage().nbytes() : 0;
}

namespace measure {

RoleBytes live_bytes() { return snapshot(); }

std::uint64_t bytes_from_malloc() {
  const std::uint64_t now = live_total.load(std::memory_order_relaxed);
  return now % one_block + now / one_block * block_overhead;
}

void start_peak(const std::string& phase) {
  Follower& f = follower();
  f = {};
  open_phase(f, phase);
  f.on = true;
}

void next_phase(const std::string& phase) {
  Follower& f = follower();
  if (!f.on) return;
  close_phase(f);
  open_phase(f, phase);
}

PeakReport stop_peak() {
  Follower& f = follower();
  close_phase(f);
  f.on = false;
  return std::move(f.report);
}

bool is_weight_storage(const at::Tensor& tensor) {
  return ours(tensor) &&
         header_of(tensor.storage().data_ptr().get())->role.load(std::memory_order_relaxed) == Role::weights;
}

}  // namespace measure
}  // namespace shardbench
