#include "control/board.hpp"

#include <chrono>
#include <fstream>
#include <new>

#include <boost/interprocess/file_mapping.hpp>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr std::size_t ring = 64;  // collectives of a rank that its peers can still compare with

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

bool is_collective(Operation op) { return op != Operation::send && op != Operation::recv; }

}  // namespace

/// A BoardEntry in atomics; `sequence` is written last and is 0 while the others change.
struct Board::Slot {
  std::atomic<std::uint64_t> sequence;
  std::atomic<std::uint64_t> kinds;  // op, dtype, reduce
  std::atomic<std::uint64_t> peer_tag;
  std::atomic<std::uint64_t> count;

  void write(std::uint64_t number, const BoardEntry& e) {
    sequence.store(0, std::memory_order_release);
    kinds.store(static_cast<std::uint64_t>(e.op) | static_cast<std::uint64_t>(e.dtype) << 8 |
                    static_cast<std::uint64_t>(e.reduce) << 16,
                std::memory_order_release);
    peer_tag.store(static_cast<std::uint64_t>(static_cast<std::uint32_t>(e.peer)) << 32 | e.tag,
                   std::memory_order_release);
    count.store(e.count, std::memory_order_release);
    sequence.store(number, std::memory_order_release);
  }

  /// The entry of that number, if it is still (or already) here.
  std::optional<BoardEntry> read(std::uint64_t number) const {
    if (number == 0 || sequence.load(std::memory_order_acquire) != number) return std::nullopt;
    const auto k = kinds.load(std::memory_order_acquire);
    const auto p = peer_tag.load(std::memory_order_acquire);
    BoardEntry e;
    e.op = static_cast<Operation>(k & 0xff);
    e.dtype = static_cast<DType>(k >> 8 & 0xff);
    e.reduce = static_cast<ReduceOp>(k >> 16 & 0xff);
    e.peer = static_cast<std::int32_t>(static_cast<std::uint32_t>(p >> 32));
    e.tag = static_cast<std::uint32_t>(p);
    e.count = count.load(std::memory_order_acquire);
    if (sequence.load(std::memory_order_acquire) != number) return std::nullopt;
    return e;
  }
};

struct Board::RankBoard {
  std::atomic<std::uint64_t> operations;   // all entered
  std::atomic<std::uint64_t> collectives;  // collectives entered
  std::atomic<std::uint64_t> inside;
  std::atomic<std::int64_t> stamp_ns;  // begin or end of the last one
  Slot last;
  Slot history[ring];
};

Board::Board(boost::interprocess::mapped_region region, int world) : region_(std::move(region)), world_(world) {}

Board Board::create(const std::filesystem::path& file, int world) {
  {
    std::ofstream out(file, std::ios::binary);
    const std::string zeros(sizeof(RankBoard) * static_cast<std::size_t>(world), '\0');
    out.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
    if (!out) throw Error("cannot write the ranks' board", file.string(), "make room in the temporary folder");
  }
  return open(file, world);
}

Board Board::open(const std::filesystem::path& file, int world) {
  namespace ipc = boost::interprocess;
  const ipc::file_mapping mapping(file.c_str(), ipc::read_write);
  return Board(ipc::mapped_region(mapping, ipc::read_write, 0, sizeof(RankBoard) * static_cast<std::size_t>(world)),
               world);
}

Board::RankBoard& Board::of(int rank) const {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);
  auto* boards = std::launder(reinterpret_cast<RankBoard*>(region_.get_address()));
  return boards[rank];
}

void Board::begin(int rank, const BoardEntry& entry) {
  RankBoard& mine = of(rank);
  mine.stamp_ns.store(now_ns(), std::memory_order_relaxed);
  mine.last.write(mine.operations.fetch_add(1, std::memory_order_relaxed) + 1, entry);
  mine.inside.store(1, std::memory_order_release);
  if (!is_collective(entry.op)) return;
  const std::uint64_t number = mine.collectives.load(std::memory_order_relaxed) + 1;
  mine.history[number % ring].write(number, entry);
  mine.collectives.store(number, std::memory_order_release);
  for (int peer = 0; peer < world_; ++peer) {
    if (peer == rank) continue;
    const auto theirs = of(peer).history[number % ring].read(number);
    if (theirs && (theirs->op != entry.op || theirs->dtype != entry.dtype || theirs->count != entry.count ||
                   theirs->reduce != entry.reduce || theirs->peer != entry.peer))
      throw Error("ranks disagree on collective " + std::to_string(number) + ": rank " + std::to_string(rank) +
                      " calls " + text(entry) + ", rank " + std::to_string(peer) + " called " + text(*theirs),
                  "the strategy or schedule", "make every rank call the same operation with the same size");
  }
}

void Board::end(int rank) {
  RankBoard& mine = of(rank);
  mine.stamp_ns.store(now_ns(), std::memory_order_relaxed);
  mine.inside.store(0, std::memory_order_release);
}

RankState Board::state(int rank) const {
  const RankBoard& board = of(rank);
  RankState state;
  state.collectives = board.collectives.load(std::memory_order_acquire);
  state.inside = board.inside.load(std::memory_order_acquire) != 0;
  state.last = board.last.read(board.operations.load(std::memory_order_acquire));
  state.seconds_ago = static_cast<double>(now_ns() - board.stamp_ns.load(std::memory_order_relaxed)) * 1e-9;
  return state;
}

std::string text(const BoardEntry& e) {
  std::string s(name_of(e.op));
  if (e.op == Operation::barrier) return s;
  s += " of " + std::to_string(e.count) + " " + std::string(name_of(e.dtype));
  if (e.op == Operation::broadcast) s += " from rank " + std::to_string(e.peer);
  if (e.op == Operation::all_reduce || e.op == Operation::reduce_scatter)
    s += " (" + std::string(name_of(e.reduce)) + ")";
  if (e.op == Operation::send) s += " to rank " + std::to_string(e.peer) + " (tag " + std::to_string(e.tag) + ")";
  if (e.op == Operation::recv) s += " from rank " + std::to_string(e.peer) + " (tag " + std::to_string(e.tag) + ")";
  return s;
}

}  // namespace shardbench
