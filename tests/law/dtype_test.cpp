#include "shardbench/dtype.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "shardbench/role.hpp"

namespace shardbench {
namespace {

TEST(DTypes, HaveTheSizesOfTheirFormats) {
  EXPECT_EQ(size_of(DType::float32), 4u);
  EXPECT_EQ(size_of(DType::float64), 8u);
  EXPECT_EQ(size_of(DType::bfloat16), 2u);
  EXPECT_EQ(size_of(DType::float16), 2u);
  EXPECT_EQ(size_of(DType::int32), 4u);
  EXPECT_EQ(size_of(DType::int64), 8u);
  EXPECT_EQ(size_of(DType::uint8), 1u);
}

TEST(DTypes, AreFoundByTheirNames) {
  std::set<std::string> names;
  for (const DType dtype : all_dtypes) {
    names.emplace(name_of(dtype));
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
  }
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(dtype_named("float"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
}

TEST(Roles, HaveNamesAndATotal) {
  EXPECT_EQ(name_of(Role::weights), "weights");
  EXPECT_EQ(name_of(Role::temporary), "temporary");
  EXPECT_EQ(total(RoleBytes{1, 2, 3, 4, 5, 6}), 21u);
}

}  // namespace
}  // namespace shardbench
