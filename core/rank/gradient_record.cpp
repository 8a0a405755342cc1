#include "rank/gradient_record.hpp"

#include <array>
#include <utility>

#include <ATen/ops/empty.h>

#include "control/channel.hpp"
#include "rank/data.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

std::streamsize bytes_of(std::size_t elements) { return static_cast<std::streamsize>(elements * sizeof(float)); }

}  // namespace

std::filesystem::path record_of(const std::filesystem::path& folder, int rank) {
  return folder / ("gradients-" + std::to_string(rank));
}

// For each step a message (control/channel.hpp): the step, [begin, end) of each piece and the count of the own
// gradients; then the values of all of these as they lie in memory.

GradientWriter::GradientWriter(std::filesystem::path file)
    : file_(std::move(file)), out_(file_, std::ios::binary | std::ios::trunc), hash_(hash_of(at::empty({0}))) {}

void GradientWriter::add(int step, const std::vector<Piece>& pieces, const std::vector<float>& own) {
  Message ranges = Message::array();
  std::vector<at::Tensor> values;
  for (const Piece& piece : pieces) {
    values.push_back(piece.values.contiguous());
    ranges.push_back({piece.begin, piece.begin + values.back().numel()});
  }
  out_ << encode({{"step", step}, {"pieces", ranges}, {"own", own.size()}});
  for (const at::Tensor& v : values) {
    hash_ = hash_of(v, hash_);
    out_.write(reinterpret_cast<const char*>(v.const_data_ptr<float>()), bytes_of(static_cast<std::size_t>(v.numel())));
  }
  out_.write(reinterpret_cast<const char*>(own.data()), bytes_of(own.size()));
  if (!out_.flush())
    throw Error("cannot write the gradients of checked step " + std::to_string(step + 1), file_.string(),
                "make room in the temporary folder");
}

GradientReader::GradientReader(const std::filesystem::path& file) : file_(file), in_(file, std::ios::binary) {
  if (!in_) throw Error("cannot read a rank's gradients", file_.string());
}

std::optional<ShownGradients> GradientReader::next() {
  char header[4] = {};
  if (!in_.read(header, sizeof header)) return std::nullopt;
  std::string body(body_length(header), '\0');
  in_.read(body.data(), static_cast<std::streamsize>(body.size()));
  if (!in_) throw Error("the gradients of a rank are cut short", file_.string());
  const Message message = decode(body);
  ShownGradients shown;
  shown.step = message.at("step").get<int>();
  const auto read = [&](std::size_t elements) {
    std::vector<float> values(elements);
    in_.read(reinterpret_cast<char*>(values.data()), bytes_of(elements));
    return values;
  };
  for (const auto& [begin, end] : message.at("pieces").get<std::vector<std::array<std::int64_t, 2>>>())
    shown.pieces.push_back({begin, read(static_cast<std::size_t>(end - begin))});
  shown.own = read(message.at("own").get<std::size_t>());
  if (!in_) throw Error("the gradients of a rank are cut short", file_.string());
  return shown;
}

}  // namespace shardbench
