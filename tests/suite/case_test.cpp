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
  EXPECT_EQ(name_of(UnitPolicy::root), "root");
  EXPECT_EQ(name_of(UnitPolicy::layer), "layer");
}

}  // namespace
}  // namespace shardbench
