#include "launch/rank_group.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "launch/interrupts.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// One rank as the driver sees it.
struct RankGroup::Peer {
  Peer(int number, RankSocket its_socket) : rank(number), socket(std::move(its_socket)) {}
  int rank;
  RankSocket socket;
  char header[4] = {};
  std::string body;
  std::optional<Message> reply;
  std::optional<Message> blob;       ///< of an exchange
  std::optional<std::string> error;  ///< what it reported
  bool gone = false;
};

namespace {

steady_clock::time_point from_now(double seconds) {
  return steady_clock::now() +
         std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

RankGroup::RankGroup(const Input& in)
    : folder_(in.folder), world_(in.world), deadline_(from_now(in.deadline_s)), deadline_s_(in.deadline_s) {
  new_board();
  processes_ = in.launcher({io_, in.world, folder_, deadline_});
  for (RankSocket& socket : processes_->take_sockets())
    peers_.push_back(std::make_unique<Peer>(static_cast<int>(peers_.size()), std::move(socket)));
}

RankGroup::~RankGroup() = default;

void RankGroup::new_board() {
  board_file_ = folder_ / fmt::format("board-{}", ++boards_);
  board_ = std::make_unique<Board>(Board::create(board_file_, world_));
}

void RankGroup::begin_again(double deadline_s) {
  deadline_ = from_now(deadline_s);
  deadline_s_ = deadline_s;
  new_board();
}

double RankGroup::seconds_left() const {
  return std::chrono::duration<double>(deadline_ - steady_clock::now()).count();
}

void RankGroup::listen(Peer& peer) {
  asio::async_read(peer.socket, asio::buffer(peer.header),
                   [this, &peer](boost::system::error_code failed, std::size_t) {
                     if (failed) {
                       peer.gone = true;
                       return;
                     }
                     guarded(peer, [&] { peer.body.resize(body_length(peer.header)); });
                     if (peer.error) return;
                     asio::async_read(peer.socket, asio::buffer(peer.body),
                                      [this, &peer](boost::system::error_code broken, std::size_t) {
                                        if (broken)
                                          peer.gone = true;
                                        else
                                          guarded(peer, [&] { receive(peer); });
                                      });
                   });
}

/// A rank that writes something else than messages costs its case, not the run.
template <class Step>
void RankGroup::guarded(Peer& peer, Step step) {
  try {
    step();
  } catch (const std::exception& e) {
    note_error(peer, fmt::format("it sent what cannot be read: {}", e.what()));
  }
}

void RankGroup::note_error(Peer& peer, std::string problem) {
  peer.error = std::move(problem);
  if (first_to_fail_ == nullptr) first_to_fail_ = &peer;
}

void RankGroup::receive(Peer& peer) {
  Message message = decode(peer.body);
  const auto type = message.at("type").get<std::string>();
  if (type == "exchange") {
    peer.blob = message.at("blob");
    exchange();
    listen(peer);
  } else if (type == "error") {
    note_error(peer, message.at("problem").get<std::string>());
    listen(peer);  // to see it go
  } else {
    peer.reply = std::move(message);
  }
}

void RankGroup::exchange() {
  for (const auto& peer : peers_)
    if (!peer->blob) return;
  Message all = {{"blobs", Message::array()}};
  for (const auto& peer : peers_) all["blobs"].push_back(std::move(*std::exchange(peer->blob, std::nullopt)));
  const std::string text = encode(all);
  for (const auto& peer : peers_) {
    boost::system::error_code failed;  // its death is seen by the read
    asio::write(peer->socket, asio::buffer(text), failed);
  }
}

std::vector<Message> RankGroup::ask(const Message& request) {
  asked_ = request.at("type").get<std::string>();
  const std::string text = encode(request);
  for (const auto& peer : peers_) {
    peer->reply.reset();
    boost::system::error_code failed;  // its death is seen by the read
    asio::write(peer->socket, asio::buffer(text), failed);
    listen(*peer);
  }
  io_.restart();
  const auto complete = [&] {
    return std::all_of(peers_.begin(), peers_.end(), [](auto& p) { return p->reply.has_value(); });
  };
  const auto broken = [&] {
    return std::any_of(peers_.begin(), peers_.end(), [](auto& p) { return p->gone || p->error.has_value(); });
  };
  while (!complete()) {
    if (broken()) fail_by_death();
    if (interrupted()) fail(FaultKind::interrupted, "interrupted");
    if (steady_clock::now() >= deadline_)
      fail(FaultKind::timeout,
           fmt::format("no answer to '{}' within the deadline of {:g} s: {}", asked_, deadline_s_, blame(*board_)));
    io_.run_one_until(std::min(deadline_, steady_clock::now() + milliseconds(50)));
    if (io_.stopped()) io_.restart();
  }
  std::vector<Message> replies;
  for (const auto& peer : peers_) replies.push_back(std::move(*peer->reply));
  return replies;
}

std::string RankGroup::died(Peer& peer) {
  const std::string doing = activity(board_->state(peer.rank));
  const auto end = processes_->end_of(peer.rank, milliseconds(1000));
  std::string text = fmt::format("rank {} {} while asked to '{}': {}", peer.rank,
                                 end ? end->text : "closed its connection", asked_, doing);
  const std::string words = last_words(rank_log(folder_, peer.rank));
  if (!words.empty()) text += "; its last words: " + words;
  return text;
}

void RankGroup::fail_by_death() {
  // The first death makes its peers fail too: a moment to see whom the trouble began with. A rank that is gone without
  // a word is the cause before one that could still report an error.
  const auto until = steady_clock::now() + milliseconds(50);
  while (steady_clock::now() < until) {
    io_.run_one_until(until);
    if (io_.stopped()) io_.restart();
  }
  const auto gone = [](const auto& peer) { return peer->gone && !peer->error; };
  if (const auto lost = std::ranges::find_if(peers_, gone); lost != peers_.end()) {
    const auto blamed = processes_->first_to_end_badly();
    fail(FaultKind::crashed, died(blamed ? *peers_[static_cast<std::size_t>(*blamed)] : **lost));
  }
  const Peer& first = *first_to_fail_;
  fail(FaultKind::crashed, fmt::format("rank {} failed in '{}': {}", first.rank, asked_, *first.error));
}

void RankGroup::fail(FaultKind kind, const std::string& text) {
  processes_->end_all();
  throw GroupFault(kind, text);
}

void RankGroup::finish() {
  ask({{"type", "finish"}});
  for (const auto& peer : peers_) {
    const auto end =
        processes_->end_of(peer->rank, milliseconds(static_cast<long>(std::max(0.0, seconds_left()) * 1000)));
    if (!end) fail(FaultKind::timeout, fmt::format("rank {} answered '{}' but did not end", peer->rank, asked_));
    if (!end->well) fail(FaultKind::crashed, died(*peer));
  }
}

}  // namespace shardbench
