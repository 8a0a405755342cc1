#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "result/cell.hpp"
#include "result/fingerprint.hpp"

namespace shardbench {

/// Where a column's value is asked for: a case, or one rank of one of its launches.
struct Row {
  const CaseResult& result;
  const Environment* environment = nullptr;  ///< nothing: columns of the environment are empty
  std::size_t launch = 0;
  std::size_t rank = 0;

  const RankReport& report() const { return result.launches.at(launch).ranks.at(rank); }
};

/// The part of a file that a column belongs to; the parts follow each other in this order.
enum class Part {
  identity,     ///< which case it is and how it ended: both files begin with these
  rank_number,  ///< `rank`, in ranks.csv alone
  quantity,     ///< what was measured and predicted
  setting       ///< what else the numbers depend on
};

/// One column of results.csv and ranks.csv: all that writers, documents and checks need to know of it.
struct Column {
  using Value = Cell (*)(const Row&);

  Part part = Part::quantity;
  std::string_view name = {};
  std::string_view unit = {};     ///< "bytes", "s", "B/s", "count"; empty for text
  std::string_view source = {};   ///< the instrument, or what predicts it
  std::string_view meaning = {};  ///< one line
  Value of_rank = nullptr;        ///< nothing: not a rank's, empty in ranks.csv
  Value of_case = nullptr;        ///< nothing: the largest over the ranks of the first launch
  bool ranks_only = false;        ///< not in results.csv
  bool counted = false;           ///< by an instrument, so the same in every launch
};

/// Every column, in the order of the files: the only list of them.
const std::vector<Column>& columns();

/// The column of that name, or null.
const Column* find_column(std::string_view name);

/// A cell of results.csv. Empty where the case reported nothing.
Cell case_cell(const Column& column, const Row& row);

/// A cell of ranks.csv.
Cell rank_cell(const Column& column, const Row& row);

/// The column `detail`: the fault, or the first failed invariant with its message; one line.
std::string detail_line(const CaseResult& result);

/// Number of invariants of a case with that verdict.
std::size_t count_of(const CaseResult& result, Verdict verdict);

}  // namespace shardbench
