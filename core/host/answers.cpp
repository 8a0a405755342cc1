#include "host/answers.hpp"

#include <cstdint>
#include <cstring>

#include "control/json.hpp"
#include "law/check_law.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_argument_bytes = 100'000;  ///< Linux takes 128 KiB for one word (execve(2), MAX_ARG_STRLEN)

/// An action as its bytes.
struct PackedAction {
  std::int32_t kind, stage, microbatch;
};

Message packed(const std::vector<Action>& actions) {
  Message::binary_t::container_type bytes(actions.size() * sizeof(PackedAction));
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const PackedAction one{static_cast<std::int32_t>(actions[i].kind), actions[i].stage, actions[i].microbatch};
    std::memcpy(bytes.data() + i * sizeof one, &one, sizeof one);
  }
  return Message::binary(std::move(bytes));
}

std::vector<Action> unpacked(const Message& message) {
  const auto& bytes = message.get_binary();
  if (bytes.size() % sizeof(PackedAction) != 0)
    throw Error("its actions are " + std::to_string(bytes.size()) + " bytes, but each has " +
                std::to_string(sizeof(PackedAction)));
  std::vector<Action> actions;
  actions.reserve(bytes.size() / sizeof(PackedAction));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(PackedAction)) {
    PackedAction one{};
    std::memcpy(&one, bytes.data() + at, sizeof one);
    if (one.kind < 0 || one.kind > static_cast<std::int32_t>(ActionKind::recv_backward))
      throw Error("an action is of kind " + std::to_string(one.kind) + ", but kinds are 0 to " +
                  std::to_string(static_cast<int>(ActionKind::recv_backward)));
    actions.push_back({static_cast<ActionKind>(one.kind), one.stage, one.microbatch});
  }
  return actions;
}

/// That `count` of `what` are there, one per rank.
void require_one_per_rank(const char* what, std::size_t count, int ranks) {
  if (count != static_cast<std::size_t>(ranks))
    throw Error("there are " + std::to_string(count) + " " + what + ", but " + std::to_string(ranks) + " ranks");
}

}  // namespace

Message plugin_message(const PluginInfo& plugin) {
  return {{"kind", static_cast<std::uint32_t>(plugin.kind)}, {"name", plugin.name}, {"file", plugin.file.string()}};
}

PluginInfo plugin_in(const Message& message) {
  PluginInfo plugin;
  plugin.kind = static_cast<PluginKind>(message.at("kind").get<std::uint32_t>());
  plugin.name = message.at("name").get<std::string>();
  plugin.file = message.at("file").get<std::string>();
  return plugin;
}

Message input_message(const ScheduleInput& in) {
  return {{"ranks", in.ranks},
          {"chunks", in.chunks},
          {"microbatches", in.microbatches},
          {"options", in.options},
          {"folder", in.folder}};
}

ScheduleInput input_in(const Message& message) {
  return {message.at("ranks").get<int>(), message.at("chunks").get<int>(), message.at("microbatches").get<int>(),
          message.at("options").get<std::map<std::string, std::string>>(), message.at("folder").get<std::string>()};
}

Message schedule_message(const ScheduleAnswer& answer) {
  Message message = {{"placement", answer.plan.placement}, {"ranks", Message::array()}, {"laws", Message::array()}};
  for (const RankPlan& rank : answer.plan.ranks) message["ranks"].push_back(packed(rank.actions));
  for (const ScheduleLaw& law : answer.laws)
    message["laws"].push_back({law.peak_in_flight, law.peak_in_flight_until_weight});
  return message;
}

ScheduleAnswer schedule_in(const Message& message, const ScheduleInput& in) {
  ScheduleAnswer answer;
  message.at("placement").get_to(answer.plan.placement);
  for (const Message& rank : message.at("ranks")) answer.plan.ranks.emplace_back().actions = unpacked(rank);
  for (const Message& law : message.at("laws")) answer.laws.push_back({law.at(0).get<int>(), law.at(1).get<int>()});
  require_one_per_rank("laws", answer.laws.size(), in.ranks);
  for (int rank = 0; rank < in.ranks; ++rank) check_law(answer.laws[static_cast<std::size_t>(rank)], rank);
  return answer;
}

Message laws_message(const std::vector<Law>& laws) { return {{"laws", laws}}; }

std::vector<Law> laws_in(const Message& message, int world) {
  auto laws = message.at("laws").get<std::vector<Law>>();
  require_one_per_rank("laws", laws.size(), world);
  for (int rank = 0; rank < world; ++rank) check_law(laws[static_cast<std::size_t>(rank)], rank);
  return laws;
}

std::vector<std::string> arguments_in(const Message& message) {
  auto words = message.at("arguments").get<std::vector<std::string>>();
  std::size_t bytes = 0;
  for (const std::string& word : words) {
    bytes += word.size() + 1;
    if (word.empty() || word.find('\0') != std::string::npos)
      throw Error(word.empty() ? "a word for mpirun is empty" : "a word for mpirun has a NUL in it");
  }
  if (bytes > most_argument_bytes)
    throw Error("its words for mpirun are " + std::to_string(bytes) + " bytes, but at most " +
                std::to_string(most_argument_bytes) + " fit");
  return words;
}

}  // namespace shardbench
