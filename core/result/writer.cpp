#include "result/writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "result/csv.hpp"
#include "result/json.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

std::filesystem::path made(std::filesystem::path folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error("cannot make the results folder: " + failed.message(), folder.string(),
                "check the permissions, or choose another --out folder");
  return folder;
}

/// The end of results.json while cases are still to come.
constexpr const char* going_on = "\n],\n\"finished\":null}\n";

}  // namespace

ResultWriter::ResultWriter(std::filesystem::path folder, RunInfo run)
    : folder_(made(std::move(folder))),
      run_(std::move(run)),
      results_csv_(results_csv_header()),
      ranks_csv_(ranks_csv_header()),
      json_(fmt::format("{{\"schema_version\":{},\n\"run\":{},\n\"cases\":[", results_schema_version,
                        dump(run_json(run_)))),
      results_csv_file_(folder_ / "results.csv"),
      ranks_csv_file_(folder_ / "ranks.csv"),
      json_file_(folder_ / "results.json"),
      junit_file_(folder_ / "junit.xml") {
  write(going_on);
}

void ResultWriter::add(const CaseResult& result) {
  results_csv_ += results_csv_row(result, run_.environment);
  ranks_csv_ += ranks_csv_rows(result, run_.environment);
  json_ += (json_.back() == '[' ? "\n" : ",\n") + dump(case_json(result, run_.environment));
  junit_cases_ += junit_case(result, counts_);
  write(going_on);
}

MachineLoad ResultWriter::finish() {
  MachineLoad load = observer_.load();
  write(fmt::format("\n],\n\"load\":{},\n\"finished\":\"{}\"}}\n", dump(load_json(load)),
                    utc_text(std::chrono::system_clock::now())));
  return load;
}

void ResultWriter::write(const std::string& end) {
  results_csv_file_.put(results_csv_);
  ranks_csv_file_.put(ranks_csv_);
  json_file_.put(json_, end);
  junit_file_.put("", junit_document(run_, counts_, junit_cases_));
}

}  // namespace shardbench
