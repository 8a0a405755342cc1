#include <gtest/gtest.h>
#include <string>

#include "result/document.hpp"
#include "result/quantities.hpp"

using namespace shardbench;

namespace {

constexpr auto introduction = R"(# Results

<!-- Written from the table of columns in core/result: SHARDBENCH_WRITE_DOCS=1 ctest -R '_docs_test$' -->

Every run writes four files into `results/<suite>-<UTC time>/` (or the folder of `--out`), whole, after every case:

| file | what |
|---|---|
| `results.csv` | one row per case |
| `ranks.csv` | one row per case and rank that reported |
| `results.json` | everything: raw samples, every launch, phases, invariants with their messages ([schema](../docs/results.schema.json)) |
| `junit.xml` | one testcase per case, for continuous integration |

`latest` points to the last run; `example/` is one committed run of the notebook's suite.

## How to read them

- Columns have the order below in both files. `rank` and the columns marked *ranks.csv* are in `ranks.csv` alone.
- An empty cell (`null` in JSON) means not applicable or not told. NaN and infinity are `nan` and `inf`, and `null` in JSON.
- A case's value is that of the rank with the largest one, column by column, unless the last column says otherwise. So in
  an uneven case the parts need not add up to the total; `ranks.csv` has every rank.
- Bytes at rest are those after the checked steps, other counts and bytes those of the audit step, of the first launch; that
  they are the same in every launch is an invariant.
  Times come from timed steps, with every instrument off.
- A `predicted_` column is a law, evaluated for the case, never a measurement. Where it differs from its neighbour, an
  invariant ([docs/invariants.md](../docs/invariants.md)) is red, `status` is `failed` and `detail` names both numbers.
- Compare times of two runs only where their `environment` is the same. Bytes and counts do not depend on it.

## Columns

| column | unit | what it is | comes from | in results.csv |
|---|---|---|---|---|
)";

std::string row_of(const Column& column) {
  const bool both = column.of_case != nullptr && column.of_case == column.of_rank;
  std::string of_case = "the largest rank's";
  if (both) of_case = "the same for all ranks";
  if (column.of_case && !both) of_case = column.of_rank ? "of all ranks together" : "of the case; empty in ranks.csv";
  if (!column.of_case && !column.of_rank) of_case = "empty";
  if (column.ranks_only) of_case = "*ranks.csv*";
  return "| `" + std::string(column.name) + "` | " + std::string(column.unit) + " | " + std::string(column.meaning) +
         " | " + std::string(column.source) + " | " + of_case + " |\n";
}

}  // namespace

TEST(Docs, ResultsReadmeIsThatOfTheColumns) {
  std::string text = introduction;
  for (const auto& column : columns()) text += row_of(column);
  shardbench::testing::expect_document("results/README.md", text);
}
