#include "result/csv.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "check/good_case.hpp"
#include "result/cell.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(Cell, TextIsShortAndExact) {
  EXPECT_EQ(text(Cell{}), "");
  EXPECT_EQ(text(Cell{std::uint64_t{18446744073709551615u}}), "18446744073709551615");
  EXPECT_EQ(text(Cell{0.1}), "0.1");
  EXPECT_EQ(text(Cell{0.1 + 0.2}), "0.30000000000000004");
  EXPECT_EQ(text(Cell{2105344.0}), "2105344");
  EXPECT_EQ(text(Cell{std::numeric_limits<double>::quiet_NaN()}), "nan");
  EXPECT_EQ(text(Cell{std::numeric_limits<double>::infinity()}), "inf");
}

TEST(Csv, QuotesWhatRfc4180Demands) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_line({"a", "", "b,c"}), "a,,\"b,c\"\n");
}

TEST(Csv, BothFilesBeginWithTheColumnsThatReadersRelyOn) {
  const std::string common =
      "case,program,strategy,schedule,operation,backend,transport,world,horizon,model,unit,optimizer,dtype,options,"
      "status,"
      "detail,";
  const std::string quantities =
      "weights_bytes,gradients_bytes,optimizer_bytes,total_bytes,predicted_total_bytes,machine_total_bytes,peak_bytes,"
      "predicted_peak_bytes,saved_peak,saved_peak_bytes,saved_total,saved_consumed,saved_before_first_use,sent_bytes,"
      "predicted_sent_bytes,step_median_s,step_min_s,step_p90_s,launches,samples,algbw_Bps,busbw_Bps,loss_first,loss_"
      "last,"
      "reference_max_diff,invariants_passed,invariants_failed,";
  const std::string roles =
      "peak_weights_bytes,peak_gradients_bytes,peak_optimizer_bytes,peak_activations_bytes,peak_communication_bytes,"
      "peak_temporary_bytes,vm_hwm_bytes,";
  const std::string ours =
      "held_storage_bytes,live_at_rest_bytes,saved_unique_peak_bytes,predicted_saved_peak,predicted_saved_peak_bytes,"
      "predicted_saved_total,in_flight,predicted_in_flight,wire_bytes,forward_s,backward_s,communication_s,update_s,"
      "invariants_not_run,wall_s,step_p99_s,skew_s,wrong_elements,in_flight_until_weight,predicted_in_flight_until_"
      "weight,activations_bytes,"
      "predicted_activations_bytes,idle_s,simulated_idle_s,simulated_step_s,step_over_simulated,heap_at_rest_bytes,"
      "heap_held_bytes,heap_step_peak_bytes,heap_step_growth_bytes,heap_timed_growth_bytes,"
      "anonymous_timed_growth_bytes,study,parameters,batch,"
      "comm_library,wait_mode,oversubscribed,cpu,cores,"
      "threads_per_"
      "rank,"
      "kernel,libraries,commit,environment,array_bytes,reduction,algorithm,unoptimized_plugins,injected\n";
  EXPECT_EQ(results_csv_header(), common + quantities + ours);
  EXPECT_EQ(ranks_csv_header(), common + "rank," + quantities + roles + ours);
}

TEST(Csv, ARowOfTheNotebooksNumbers) {
  Environment environment;
  environment.cpu = "a, b";
  environment.cores = 1;
  environment.kernel = "Linux";
  environment.libraries = {{"BLAS", "mkl"}, {"LibTorch", "2.13.0"}};
  environment.commit = "0123456789ab";
  environment.dirty = true;
  environment.threads_per_rank = 1;
  const auto digest = environment.digest();
  const auto settings =
      ",,,,,,,,,0,0,0,0,0,0,at-rest,526336,32,gloo 0.5.0,\"sync, block\",yes,\"a, b\",1,1,Linux,BLAS mkl; LibTorch "
      "2.13.0,"
      "0123456789ab-dirty," +
      digest + ",,,,,\n";
  EXPECT_EQ(results_csv_row(good_training(), environment),
            "zero2-w2,training,zero2,,,gloo,tcp on lo,2,,mlp,root,adamw,float32,,ok,,"
            "1052672,1052672,2105348,4210692,4210692,8421384,7000000,7000000,16,4000000,16,16,16,2105344,2105344,"
            "0.0025,0.002,0.0029000000000000002,1,2,,,3.5,3,0,0,0,"
            "4210692,4210692,262144,,,,,,2105344,0.0005,0.001,0.0005,0.0002,0,0.25,,," +
                settings);
  const std::string rows = ranks_csv_rows(good_training(), environment);
  const std::string rank1 =
      "zero2-w2,training,zero2,,,gloo,tcp on lo,2,,mlp,root,adamw,float32,,ok,,1,"
      "1052672,1052672,2105348,4210692,4210692,,7000000,7000000,16,4000000,16,16,16,2105344,2105344,"
      "0.0025,0.002,0.0029000000000000002,1,2,,,3.5,3,0,,,"
      "2105344,2105344,2105348,500000,100000,83964,200000000,"
      "4210692,4210692,262144,,,,,,2105344,0.0005,0.001,0.0005,0.0002,,,,," +
      settings;
  EXPECT_EQ(rows.substr(rows.find('\n') + 1), rank1);
}

TEST(Csv, ACaseThatGaveNothingHasOneRowAndNoRanks) {
  CaseResult result;
  result.spec.id = "x";
  result.spec.strategy = "ddp";
  result.status = Status::timeout;
  result.detail = "rank 1 hangs in all_reduce\n  since 3 s";
  const std::string row = results_csv_row(result, {});
  EXPECT_TRUE(row.starts_with(
      "x,training,ddp,,,gloo,,1,,,root,adamw,float32,,timeout,rank 1 hangs in all_reduce since 3 s,,,,"))
      << row;
  EXPECT_EQ(ranks_csv_rows(result, {}), "");
}
