#include "suite/case.hpp"

#include <gtest/gtest.h>

#include <string>

#include "suite/case_id.hpp"

namespace shardbench {
namespace {

using namespace std::string_literals;  // "..."s: g++ 12 warns of an overlap that is not there where a literal is
                                       // assigned

Case training_case() {
  Case c;
  c.strategy = "zero2"s;
  c.world = 2;
  c.model.name = "m"s;
  return c;
}

TEST(CaseId, OfATrainingCase) {
  EXPECT_EQ(case_id(training_case(), "adamw"), "training/zero2/gloo/m/world=2/unit=root/adamw");
}

TEST(CaseId, BeginsWithTheStudy) {
  Case c = training_case();
  c.study = "exercise"s;
  EXPECT_EQ(case_id(c, "sgd"), "exercise/training/zero2/gloo/m/world=2/unit=root/sgd");
}

TEST(CaseId, HasTheDtypeOnlyWhereItIsNotFloat32) {
  Case c = training_case();
  c.dtype = DType::float64;
  EXPECT_EQ(case_id(c, "adamw"), "training/zero2/gloo/m/world=2/unit=root/adamw/float64");
}

TEST(CaseId, HasTheOptionsThatAreGiven) {
  Case c = training_case();
  c.unit = UnitPolicy::layer;
  c.options = {{"partition", "flat"}, {"bucket", "1"}};
  c.backend_options = {{"mode", "sync"}};
  EXPECT_EQ(case_id(c, "adamw"), "training/zero2/gloo/m/world=2/unit=layer/adamw/bucket=1/partition=flat/mode=sync");
}

TEST(CaseId, OfAPipelineCaseHasTheOptimizerOnlyWhereThereIsAnUpdate) {
  Case c;
  c.program = Program::pipeline;
  c.schedule = "1f1b"s;
  c.world = 2;
  c.horizon = 4;
  c.model.name = "m"s;
  c.optimize = false;
  EXPECT_EQ(case_id(c, "none"), "pipeline/1f1b/gloo/m/world=2/horizon=4");
  c.optimize = true;
  EXPECT_EQ(case_id(c, "adamw"), "pipeline/1f1b/gloo/m/world=2/horizon=4/adamw");
}

TEST(CaseId, OfACollectiveHasItsSizeAndWhatIsNotUsual) {
  Case c;
  c.program = Program::collective;
  c.operation = Collective::all_reduce;
  c.world = 2;
  c.bytes = 65536;
  EXPECT_EQ(case_id(c, ""), "collective/all_reduce/gloo/world=2/bytes=64KiB");
  c.bytes = 1000;
  c.reduction = ReduceOp::max;
  c.dtype = DType::bfloat16;
  c.backend_options = {{"mode", "async"}};
  EXPECT_EQ(case_id(c, ""), "collective/all_reduce/gloo/world=2/bytes=1000B/max/bfloat16/mode=async");
  c.operation = Collective::reduce_scatter;
  c.reduction = ReduceOp::sum;
  c.values = Values::rounding;
  c.in_place = true;
  EXPECT_EQ(case_id(c, ""), "collective/reduce_scatter/gloo/world=2/bytes=1000B/rounding/in_place/bfloat16/mode=async");
}

TEST(CaseId, OfABarrierHasNoSize) {
  Case c;
  c.program = Program::collective;
  c.operation = Collective::barrier;
  c.world = 4;
  EXPECT_EQ(case_id(c, ""), "collective/barrier/gloo/world=4");
}

TEST(SizeText, TakesTheLargestUnitThatDivides) {
  EXPECT_EQ(size_text(0), "0B");
  EXPECT_EQ(size_text(8), "8B");
  EXPECT_EQ(size_text(1024), "1KiB");
  EXPECT_EQ(size_text(1536), "1536B");
  EXPECT_EQ(size_text(16777216), "16MiB");
  EXPECT_EQ(size_text(std::uint64_t{3} << 30), "3GiB");
}

TEST(CollectiveNames, AreReadBack) {
  for (const Collective operation : all_collectives) EXPECT_EQ(collective_named(name_of(operation)), operation);
  EXPECT_EQ(collective_named("recv"), std::nullopt);
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) EXPECT_EQ(reduction_named(name_of(op)), op);
  EXPECT_EQ(reduction_named("mean"), std::nullopt);
}

TEST(CaseOptionsText, IsEmptyWithoutOptions) { EXPECT_EQ(Case{}.options_text(), ""); }

TEST(CaseOptionsText, HasTheSubjectsOptionsFirstThenTheBackends) {
  Case c;
  c.options = {{"partition", "flat"}, {"bucket", "1"}};
  c.backend_options = {{"a", "b"}};
  EXPECT_EQ(c.options_text(), "bucket=1 partition=flat a=b");
}

TEST(CaseNames, AreThoseOfASuite) {
  EXPECT_EQ(name_of(Program::training), "training");
  EXPECT_EQ(name_of(Program::pipeline), "pipeline");
  EXPECT_EQ(name_of(Program::collective), "collective");
  EXPECT_EQ(name_of(UnitPolicy::root), "root");
  EXPECT_EQ(name_of(UnitPolicy::layer), "layer");
}

}  // namespace
}  // namespace shardbench
