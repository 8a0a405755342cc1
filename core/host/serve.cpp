#include "host/serve.hpp"

#include <map>
#include <optional>
#include <string>

#include <boost/dll/shared_library.hpp>

#include "control/caught.hpp"
#include "control/channel.hpp"
#include "host/answers.hpp"
#include "plugin/loaded.hpp"
#include "plugin/rank_library.hpp"
#include "shardbench/error.hpp"
#include "suite/case_json.hpp"

namespace shardbench {
namespace {

class Server {
 public:
  explicit Server(Channel& channel) : channel_(channel) {}

  void answer(const Message& question) {
    Message reply;
    try {
      reply = {{"answer", result_of(question)}};
    } catch (const Error& e) {
      reply = {{"refused", {{"problem", e.problem()}, {"where", e.where()}, {"cure", e.cure()}}}};
    } catch (...) {
      reply = {{"threw", caught_text()}};
    }
    channel_.send(reply);
  }

 private:
  Message result_of(const Message& question) {
    const PluginDescriptor& plugin = loaded(plugin_in(question.at("plugin")));
    const auto type = question.at("type").get<std::string>();
    if (type == "plan") return plan(plugin, input_in(question.at("input")));
    if (type == "laws") return laws(plugin, question.at("case").get<Case>());
    if (type == "arguments") {
      doing("mpirun's arguments");
      return {{"arguments", plugin.mpirun_arguments(question.at("options").get<std::map<std::string, std::string>>())}};
    }
    return Message::object();  // only to be loaded
  }

  const PluginDescriptor& loaded(const PluginInfo& info) {
    const auto known = plugins_.find(info.file.string());
    if (known != plugins_.end()) return known->second.descriptor();
    doing("its static initializers");
    return plugins_.try_emplace(info.file.string(), info).first->second.descriptor();
  }

  Message plan(const PluginDescriptor& plugin, const ScheduleInput& in) {
    ScheduleAnswer answer;
    doing("its plan");
    answer.plan = plugin.schedule_plan(in);
    doing("its law");
    for (int rank = 0; rank < in.ranks; ++rank) answer.laws.push_back(plugin.schedule_law(in, rank));
    return schedule_message(answer);
  }

  Message laws(const PluginDescriptor& plugin, const Case& spec) {
    if (!library_) library_ = load_rank_library();
    LawInput in;
    library_->get<void(const Case&, LawInput&)>("shardbench_rank_law_input")(spec, in);
    std::vector<Law> laws;
    doing("its law");
    for (in.rank = 0; in.rank < spec.world; ++in.rank) laws.push_back(plugin.strategy_law(in));
    return laws_message(laws);
  }

  void doing(const char* what) { channel_.send({{"doing", what}}); }

  Channel& channel_;
  std::map<std::string, LoadedPlugin> plugins_;  ///< by file
  std::optional<boost::dll::shared_library> library_;
};

}  // namespace

int serve_plugins(int descriptor) {
  Channel channel(descriptor);
  Server server(channel);
  for (;;) {
    Message question;
    try {
      question = channel.receive();
    } catch (const Error&) {
      return 0;  // the driver has no more questions
    }
    server.answer(question);
  }
}

}  // namespace shardbench
