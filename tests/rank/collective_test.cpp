#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::Contains;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;
using testing::Row;
using ::testing::UnorderedElementsAre;

/// A backend that is wrong in one way, whose faults the invariants of the collectives have to name.
class WrongBackend : public ::testing::Test {
 protected:
  static nlohmann::json run() {
    const testing::TemporaryFolder folder;
    const auto suite = testing::write_file(folder.path() / "wrong.toml", R"(schema = 1
[plugins]
path = [")" WRONG_COMM R"("]
[defaults]
backend = "wrong"
world = 3
iterations = 2
[[collective]]
operation = ["broadcast", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "send", "reduce_scatter_all_gather"]
bytes = 240
backend_options = { fault = ["none", "element", "tail", "outside", "before", "input"] }
[[collective]]
operation = "barrier"
backend_options = { fault = ["none", "barrier", "idle"] }
[[collective]]
name = "timed"
operation = ["broadcast", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "send", "reduce_scatter_all_gather", "send_tags", "send_order", "send_both_ways"]
bytes = 240
backend_options = { fault = "idle" }
[[collective]]
name = "in-place"
operation = ["reduce_scatter", "all_gather"]
in_place = true
bytes = 240
backend_options = { fault = ["none", "element", "idle"] }
[[collective]]
name = "order"
operation = "all_reduce"
values = "rounding"
bytes = 240
iterations = 4
backend_options = { fault = ["none", "order", "drift", "element", "idle"] }
[[collective]]
name = "messages"
operation = ["send_tags", "send_order", "send_both_ways"]
bytes = 240
backend_options = { fault = ["none", "tags", "reorder", "element"] }
[[collective]]
name = "claims"
operation = ["all_reduce", "reduce_scatter_all_gather"]
bytes = 240
world = 4
backend_options = { fault = ["none", "claim", "unnamed"] }
[model.m]
layers = 2
width = 8
[[training]]
strategy = "ddp"
model = "m"
world = 4
backend_options = { fault = ["none", "claim"] }
)");
    const Ended ended = testing::run_program({"run", suite, "--out", "out"}, folder.path());
    EXPECT_EQ(ended.status, 1) << ended.err;
    return nlohmann::json::parse(testing::contents(folder.path() / "out/results.json"));
  }
  static const nlohmann::json& results() {
    static const nlohmann::json all = run();
    return all;
  }
  /// Message of what failed, by invariant, of the case of an operation with a fault.
  static std::map<std::string, std::string> failed(const std::string& operation, const std::string& fault,
                                                   const std::string& study = "") {
    return messages_of(operation, fault, study, "failed");
  }
  static std::map<std::string, std::string> messages_of(const std::string& operation, const std::string& fault,
                                                        const std::string& study, const std::string& verdict) {
    std::map<std::string, std::string> messages;
    int found = 0;
    for (const auto& result : results().at("cases")) {
      const auto& spec = result.at("spec");
      const auto& subject = spec.at("operation").is_null() ? spec.at("strategy") : spec.at("operation");
      if (spec.at("study") != study || subject != operation || spec.at("backend_options").at("fault") != fault)
        continue;
      ++found;
      EXPECT_NE(result.at("status"), "crashed") << result.at("detail");
      for (const auto& invariant : result.at("invariants"))
        if (invariant.at("verdict") == verdict) messages[invariant.at("name")] = invariant.at("message");
    }
    EXPECT_EQ(found, 1) << operation << " " << fault;
    return messages;
  }
};

constexpr const char* arrays[] = {"broadcast",  "all_reduce", "reduce_scatter",           "all_gather",
                                  "all_to_all", "send",       "reduce_scatter_all_gather"};

TEST_F(WrongBackend, IsGreenWithoutAFault) {
  for (const char* operation : arrays) EXPECT_THAT(failed(operation, "none"), IsEmpty()) << operation;
  EXPECT_THAT(failed("barrier", "none"), IsEmpty());
}

TEST_F(WrongBackend, AWrongElementIsCountedAndShown) {
  for (const char* operation : arrays) {
    const auto messages = failed(operation, "element");
    EXPECT_THAT(messages, UnorderedElementsAre(Key("elements_right"), Key("timed_calls_right"))) << operation;
    EXPECT_THAT(messages.at("elements_right"), HasSubstr(" elements are wrong over all ranks, first on rank "));
    EXPECT_THAT(messages.at("elements_right"), HasSubstr(" of call 1: got "));
  }
  EXPECT_THAT(
      failed("all_reduce", "element").at("elements_right"),
      ::testing::StartsWith("2 of 360 elements are wrong over all ranks, first on rank 2: array[59] of call 1: "));
  EXPECT_THAT(failed("send", "element").at("elements_right"), HasSubstr("first on rank 2: output[59] of call 1: "));
}

TEST_F(WrongBackend, ATailThatStaysAsItWasIsSeen) {
  EXPECT_THAT(failed("all_reduce", "tail").at("elements_right"), HasSubstr("array[59] of call 1: got "));
}

TEST_F(WrongBackend, AByteOutsideIsSeen) {
  for (const char* operation : {"broadcast", "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "send"}) {
    EXPECT_THAT(failed(operation, "outside").at("guard_bands_intact"), HasSubstr(": 1 bytes after ")) << operation;
    EXPECT_THAT(failed(operation, "before").at("guard_bands_intact"), HasSubstr(": 1 bytes before ")) << operation;
  }
}

TEST_F(WrongBackend, AChangedInputIsSeen) {
  for (const char* operation : {"all_gather", "all_to_all", "send"})
    EXPECT_THAT(failed(operation, "input").at("inputs_unchanged"),
                HasSubstr("elements of the inputs are changed over all ranks, first on rank 2: input[0] of call 1"))
        << operation;
}

TEST_F(WrongBackend, ABarrierThatDoesNotWaitIsSeen) {
  EXPECT_THAT(failed("barrier", "barrier").at("barrier_waits"),
              ::testing::ContainsRegex("rank [0-2] left barrier [1-3] [0-9]+ ns before rank [0-2] entered it"));
}

TEST_F(WrongBackend, ABackendThatStopsAfterTheCheckedCallsIsSeen) {
  for (const char* operation : arrays) {
    const auto messages = failed(operation, "idle", "timed");
    EXPECT_THAT(messages, Contains(Key("timed_calls_right"))) << operation;
    EXPECT_THAT(messages.at("timed_calls_right"), HasSubstr(" elements are wrong over all ranks, first on rank "));
    EXPECT_THAT(messages.at("timed_calls_right"), HasSubstr(" of call ")) << operation;
  }
  for (const char* operation : {"send_tags", "send_order", "send_both_ways"})
    EXPECT_THAT(failed(operation, "idle", "timed"), Contains(Key("timed_calls_right"))) << operation;
  for (const char* operation : {"reduce_scatter", "all_gather"})
    EXPECT_THAT(failed(operation, "idle", "in-place"), Contains(Key("timed_calls_right"))) << operation;
  EXPECT_THAT(failed("barrier", "idle").at("timed_calls_right"), HasSubstr(" left barrier "));
}

TEST_F(WrongBackend, IsCheckedInPlaceToo) {
  for (const char* operation : {"reduce_scatter", "all_gather"}) {
    EXPECT_THAT(failed(operation, "none", "in-place"), IsEmpty()) << operation;
    EXPECT_THAT(failed(operation, "element", "in-place").at("elements_right"), HasSubstr("array[")) << operation;
  }
}

TEST_F(WrongBackend, ASumInAnOrderOfEachRanksOwnIsSeen) {
  EXPECT_THAT(failed("all_reduce", "none", "order"), IsEmpty());
  const auto messages = failed("all_reduce", "order", "order");
  EXPECT_THAT(messages, UnorderedElementsAre(Key("same_sums")));
  EXPECT_THAT(messages.at("same_sums"), HasSubstr("call 1: rank 1 has other bits than rank 0: digest "));
}

TEST_F(WrongBackend, ASumWhoseBitsChangeFromCallToCallIsSeen) {
  const auto messages = failed("all_reduce", "drift", "order");
  EXPECT_THAT(messages, UnorderedElementsAre(Key("same_sums")));
  EXPECT_THAT(messages.at("same_sums"), HasSubstr("has other bits than call 1 of the same values"));
}

TEST_F(WrongBackend, ARoundedSumThatIsTooFarFromTheExactOneIsSeen) {
  EXPECT_THAT(failed("all_reduce", "idle", "order").at("timed_calls_right"), HasSubstr(" up to "));
}

TEST_F(WrongBackend, MessagesOfAnotherTagAreSeen) {
  for (const char* operation : {"send_tags", "send_order", "send_both_ways"})
    EXPECT_THAT(failed(operation, "none", "messages"), IsEmpty()) << operation;
  const auto messages = failed("send_tags", "tags", "messages");
  EXPECT_THAT(messages, UnorderedElementsAre(Key("messages_matched"), Key("timed_calls_right")));
  EXPECT_THAT(messages.at("messages_matched"), HasSubstr("call 1 received message 1 (tag 2) of rank 2 in place of 0 "
                                                         "(tag 1) of rank 2"));
  EXPECT_THAT(failed("send_both_ways", "tags", "messages"), Contains(Key("messages_matched")));
  EXPECT_THAT(failed("send_order", "tags", "messages"), IsEmpty()) << "they have one tag";
}

TEST_F(WrongBackend, MessagesInAnotherOrderAreSeen) {
  const auto messages = failed("send_order", "reorder", "messages");
  EXPECT_THAT(messages, UnorderedElementsAre(Key("messages_matched"), Key("timed_calls_right")));
  EXPECT_THAT(messages.at("messages_matched"), HasSubstr("call 1 received message 1 (tag 0) of rank 2 in place of 0 "
                                                         "(tag 0) of rank 2"));
  EXPECT_THAT(failed("send_tags", "reorder", "messages"), IsEmpty()) << "their tags differ";
}

TEST_F(WrongBackend, AWrongElementOfAMessageIsNoOtherMessage) {
  for (const char* operation : {"send_tags", "send_order", "send_both_ways"})
    EXPECT_THAT(failed(operation, "element", "messages"),
                UnorderedElementsAre(Key("elements_right"), Key("timed_calls_right")))
        << operation;
}

TEST_F(WrongBackend, AnAlgorithmThatIsNotTheOneNamedIsSeen) {
  EXPECT_THAT(failed("all_reduce", "none", "claims"), IsEmpty());
  // 240 bytes by 4 ranks: a ring sends 2 x 3/4 of them, recursive doubling 2 x 240.
  EXPECT_THAT(failed("all_reduce", "claim", "claims"),
              UnorderedElementsAre(Pair("wire_equals_sent", HasSubstr("rank 0: the backend sent 360 bytes, but the "
                                                                      "algorithms that it names send 480 bytes"))));
  EXPECT_THAT(failed("reduce_scatter_all_gather", "claim", "claims"), IsEmpty()) << "all_reduce is not called";
}

// 144 float32 of gradients: 576 bytes.
TEST_F(WrongBackend, AnAlgorithmThatIsNotTheOneNamedIsSeenInTrainingToo) {
  EXPECT_THAT(failed("ddp", "none"), IsEmpty());
  EXPECT_THAT(failed("ddp", "claim"),
              UnorderedElementsAre(Pair("wire_equals_sent", HasSubstr("rank 0: the backend sent 864 bytes, but the "
                                                                      "algorithms that it names send 1152 bytes"))));
}

TEST_F(WrongBackend, AnAlgorithmWithoutALawIsNotRun) {
  EXPECT_THAT(failed("all_reduce", "unnamed", "claims"), IsEmpty());
  EXPECT_THAT(messages_of("all_reduce", "unnamed", "claims", "not_run"),
              Contains(Pair("wire_equals_sent",
                            HasSubstr("no law is known for all_reduce of 60 float32 (sum) by 'own, sync'"))));
}

/// What the rows of real collectives hold.
TEST(CollectiveRows, HaveTheirColumns) {
  const testing::TemporaryFolder folder;
  const auto suite = testing::write_file(folder.path() / "rows.toml", R"(schema = 1
[[collective]]
operation = ["all_reduce", "send", "barrier"]
bytes = "4 KiB"
world = 2
iterations = 3
launches = 2
[[collective]]
name = "alone"
operation = "all_reduce"
bytes = 8
world = 1
)");
  const Ended ended = testing::run_program({"run", suite, "--out", "out"}, folder.path());
  ASSERT_EQ(ended.status, 0) << ended.err;
  std::map<std::string, Row> rows;
  for (const Row& row : testing::read_csv(folder.path() / "out/results.csv")) rows[row.at("case")] = row;
  ASSERT_EQ(rows.size(), 4u);
  const Row &reduce = rows.at("collective/all_reduce/gloo/world=2/bytes=4KiB"),
            &send = rows.at("collective/send/gloo/world=2/bytes=4KiB"),
            &barrier = rows.at("collective/barrier/gloo/world=2"),
            &alone = rows.at("alone/collective/all_reduce/gloo/world=1/bytes=8B");
  EXPECT_EQ(reduce.at("operation"), "all_reduce");
  EXPECT_EQ(reduce.at("array_bytes"), "4096");
  EXPECT_EQ(reduce.at("sent_bytes"), "4096");
  EXPECT_EQ(reduce.at("predicted_sent_bytes"), "4096");
  EXPECT_EQ(reduce.at("wrong_elements"), "0");
  EXPECT_EQ(reduce.at("samples"), "6");
  const double p50 = std::stod(reduce.at("step_median_s"));
  EXPECT_NEAR(std::stod(reduce.at("algbw_Bps")), 4096 / p50, 1e-6 * 4096 / p50);
  EXPECT_NEAR(std::stod(reduce.at("busbw_Bps")), 4096 / p50, 1e-6 * 4096 / p50);
  for (const char* column : {"transport", "wait_mode", "algorithm", "step_p99_s", "skew_s", "reduction"})
    EXPECT_NE(reduce.at(column), "") << column;
  for (const char* column : {"weights_bytes", "saved_peak", "model", "unit", "horizon", "optimizer", "batch",
                             "parameters", "loss_first", "machine_total_bytes", "live_at_rest_bytes"})
    EXPECT_EQ(reduce.at(column), "") << column;
  EXPECT_EQ(send.at("skew_s"), "");
  EXPECT_EQ(send.at("reduction"), "");
  for (const char* column : {"array_bytes", "algbw_Bps", "busbw_Bps", "wrong_elements"})
    EXPECT_EQ(barrier.at(column), "") << column;
  for (const char* column : {"algbw_Bps", "busbw_Bps", "skew_s"}) EXPECT_EQ(alone.at(column), "") << column;
  EXPECT_THAT(ended.out, HasSubstr("Collective: all_reduce\n"));
}

}  // namespace
}  // namespace shardbench
