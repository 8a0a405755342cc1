#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardbench {

/// Storages with their holders, as the walk of a pipeline's step sees them: a storage's bytes are alive while anybody
/// holds it.
class Storages {
 public:
  using Id = std::size_t;
  static constexpr Id none = SIZE_MAX;  ///< held and dropped without effect

  explicit Storages(std::uint64_t always) : always_(always), peak_(always) {}

  /// A new storage with one holder.
  Id make(std::uint64_t bytes) {
    all_.push_back({bytes, 1});
    add(bytes);
    return all_.size() - 1;
  }
  Id hold(Id id) {
    if (id != none) ++all_[id].holders;
    return id;
  }
  void drop(Id& id) {
    if (id != none && --all_[id].holders == 0) alive_ -= all_[id].bytes;
    id = none;
  }
  /// Bytes that come and go at once.
  void touch(std::uint64_t bytes) { peak_ = std::max(peak_, always_ + alive_ + bytes); }
  /// Bytes that stay from now on, apart from the storages.
  void add_for_good(std::uint64_t bytes) {
    always_ += bytes;
    touch(0);
  }

  std::uint64_t alive() const { return alive_; }  ///< in storages
  std::uint64_t peak() const { return peak_; }    ///< of everything

 private:
  struct Storage {
    std::uint64_t bytes = 0;
    int holders = 0;
  };
  void add(std::uint64_t bytes) {
    alive_ += bytes;
    touch(0);
  }

  std::vector<Storage> all_;
  std::uint64_t always_, alive_ = 0, peak_;
};

}  // namespace shardbench
