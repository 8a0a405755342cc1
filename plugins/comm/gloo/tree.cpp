#include "tree.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace shardbench::gloo_comm {

void broadcast(Link& link, void* data, std::size_t bytes, int root) {
  const int world = link.world();
  const int relative = (link.rank() - root + world) % world;
  int lowest_bit = 1;  // of `relative`; for the root, the first power of two that is not below the world
  while (lowest_bit < world && (relative & lowest_bit) == 0) lowest_bit <<= 1;

  std::optional<Incoming> parent;
  if (relative != 0) parent.emplace(link.incoming((relative - lowest_bit + root) % world, data, bytes));
  std::vector<Outgoing> children;  // the farthest first: it has the most descendants
  for (int step = lowest_bit >> 1; step > 0; step >>= 1)
    if (relative + step < world) children.push_back(link.outgoing((relative + step + root) % world, data, bytes));

  for (std::size_t done = 0; done < bytes; done += Link::chunk_bytes) {
    if (parent) parent->receive();
    for (auto& child : children) child.send(done, std::min(Link::chunk_bytes, bytes - done), done);
  }
}

void barrier(Link& link) {
  const int world = link.world();
  for (int distance = 1; distance < world; distance <<= 1) {
    auto to = link.outgoing((link.rank() + distance) % world, nullptr, 0);
    auto from = link.incoming((link.rank() + world - distance) % world, nullptr, 0);
    to.send(0, 0, 0);
    from.receive();
  }
}

}  // namespace shardbench::gloo_comm
