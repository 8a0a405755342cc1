#include "rank/reference.hpp"

#include <fstream>

#include <boost/interprocess/file_mapping.hpp>

#include "control/channel.hpp"
#include "control/json.hpp"
#include "rank/reference_run.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// The arrays of a file, in the order in which they lie in it, after the message.
constexpr std::size_t array_alignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + array_alignment - 1) / array_alignment * array_alignment; }

Message optional_json(const std::optional<NotFinite>& n) { return n ? Message(*n) : Message(); }
std::optional<NotFinite> optional_of(const Message& j) {
  return j.is_null() ? std::nullopt : std::optional(j.get<NotFinite>());
}

}  // namespace

void write_reference(const ReferenceInput& in, const std::filesystem::path& file) {
  const ReferenceRun run(in, Rounding::as_shown);
  std::vector<const std::vector<float>*> arrays = run.arrays();
  std::optional<ReferenceRun> apart;
  if (run.bounded()) arrays.push_back(&apart.emplace(in, Rounding::farthest).end());
  std::string head = encode({{"losses", run.losses()},
                             {"rows", run.rows_hashes()},
                             {"names", run.layout().names},
                             {"offsets", run.layout().offsets},
                             {"bounded", run.bounded()},
                             {"steps_after", in.steps_after},
                             {"not_finite", optional_json(run.not_finite())},
                             {"later_not_finite", optional_json(run.later_not_finite())},
                             {"refused_gradient", run.refused_gradient()}});
  head.resize(aligned(head.size()), '\0');
  std::ofstream out(file, std::ios::binary);
  out << head;
  for (const std::vector<float>* values : arrays)
    out.write(reinterpret_cast<const char*>(values->data()),
              static_cast<std::streamsize>(values->size() * sizeof(float)));
  if (!out.flush()) throw Error("cannot write the reference run", file.string(), "make room in the temporary folder");
}

Reference Reference::load(const std::filesystem::path& file) {
  namespace ipc = boost::interprocess;
  Reference r;
  r.memory_ = ipc::mapped_region(ipc::file_mapping(file.c_str(), ipc::read_only), ipc::read_only);
  const auto* begin = static_cast<const char*>(r.memory_.get_address());
  const std::size_t size = r.memory_.get_size();
  const auto cut_short = [&] { return Error("the reference run is cut short", file.string()); };
  char header[4] = {};
  if (size < sizeof header) throw cut_short();
  std::copy_n(begin, sizeof header, header);
  const std::size_t body = body_length(header);
  if (size - sizeof header < body) throw cut_short();
  const Message j = decode(std::string(begin + sizeof header, body));
  j.at("losses").get_to(r.losses);
  j.at("rows").get_to(r.rows_hashes);
  j.at("names").get_to(r.layout.names);
  j.at("offsets").get_to(r.layout.offsets);
  j.at("steps_after").get_to(r.steps_after);
  r.not_finite = optional_of(j.at("not_finite"));
  r.later_not_finite = optional_of(j.at("later_not_finite"));
  j.at("refused_gradient").get_to(r.refused_gradient);
  const auto elements = static_cast<std::size_t>(r.layout.elements());
  std::size_t at = aligned(sizeof header + body);
  const auto next = [&] {
    if (size - at < elements * sizeof(float)) throw cut_short();
    const std::span<const float> values(reinterpret_cast<const float*>(begin + at), elements);
    at += elements * sizeof(float);
    return values;
  };
  const bool bounded = j.at("bounded").get<bool>();
  for (Wanted* gradients : {&r.first_gradients, &r.gradients}) {
    gradients->values = next();
    if (bounded) gradients->bounds = next();
  }
  for (auto* values : {&r.parameters, &r.parameters_before, &r.parameters_first, &r.parameters_end}) *values = next();
  if (bounded) r.parameters_end_apart = next();
  return r;
}

}  // namespace shardbench
