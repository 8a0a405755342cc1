#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using testing::Row;
namespace fs = std::filesystem;

/// Runs of MPI's ranks, which mpirun starts.
class Mpirun : public ::testing::Test {
 protected:
  static std::string on_mpi(const std::string& tables) { return testing::tiny_suite + "backend = \"mpi\"\n" + tables; }

  std::string suite(const std::string& text) const {
    return testing::write_file(folder_.path() / "mpi.toml", text).string();
  }
  Ended run(const std::string& text, const std::map<std::string, std::string>& environment = {}) const {
    testing::Program program({"run", suite(text), "--out", "out"}, folder_.path(), environment);
    Ended ended = program.wait();
    EXPECT_TRUE(program.processes().empty()) << "a process was left behind";
    return ended;
  }
  std::vector<Row> rows() const { return testing::read_csv(folder_.path() / "out/results.csv"); }

  /// A folder whose `mpirun` is this script; $MPIRUN in it is the real one.
  std::string path_with(const std::string& script) const {
    const fs::path bin = folder_.path() / "bin";
    fs::create_directory(bin);
    testing::write_file(bin / "mpirun", "#!/bin/sh\nMPIRUN=" SHARDBENCH_MPIRUN "\n" + script);
    fs::permissions(bin / "mpirun", fs::perms::owner_all);
    return bin.string() + ":" + std::getenv("PATH");
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Mpirun, OneStartServesAllCasesOfAWorld) {
  const std::string path = path_with("echo start >> starts\nexec $MPIRUN \"$@\"\n");
  const Ended ended = run(on_mpi(testing::ddp_case("a") + testing::ddp_case("b") + "launches = 2\n" +
                                 testing::ddp_case("c") + "world = [1, 3]\n"),
                          {{"PATH", path}});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  ASSERT_EQ(rows().size(), 4u);
  for (const Row& row : rows()) {
    EXPECT_EQ(row.at("status"), "ok") << row.at("detail");
    EXPECT_EQ(row.at("backend"), "mpi");
  }
  // World 2 twice, since the launches of a case are starts of their own; worlds 1 and 3 once.
  EXPECT_EQ(testing::contents(folder_.path() / "starts"), "start\nstart\nstart\nstart\n");
}

TEST_F(Mpirun, RecordsWhatIsInForce) {
  const Ended ended = run(on_mpi(testing::ddp_case("a") + "backend_options = { transport = [\"default\", \"tcp\"] }\n" +
                                 testing::ddp_case("b") + "backend_options = { wait = \"yield\" }\n"));
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  ASSERT_EQ(rows().size(), 3u);
  EXPECT_THAT(rows()[0].at("transport"), HasSubstr("shared memory"));
  EXPECT_EQ(rows()[1].at("transport"), "tcp on lo");
  const std::string results = testing::contents(folder_.path() / "out/results.json");
  EXPECT_THAT(results, AllOf(HasSubstr("\"single_copy\""), HasSubstr("\"binding\""), HasSubstr("\"oversubscribed\""),
                             HasSubstr("\"yielding\"")));
}

TEST_F(Mpirun, MayBeStartedInsideAnother) {
  const Ended ended = run(on_mpi(testing::ddp_case("a")), {{"OMPI_COMM_WORLD_SIZE", "7"},
                                                           {"OMPI_COMM_WORLD_RANK", "3"},
                                                           {"OMPI_MCA_orte_ess_jobid", "12345"},
                                                           {"OMPI_MCA_ess", "pmi"},
                                                           {"PMIX_RANK", "3"},
                                                           {"PMIX_NAMESPACE", "12345"},
                                                           {"PMIX_SERVER_URI2", "pmix-server.1;tcp4://127.0.0.1:1"}});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
}

TEST_F(Mpirun, ThatIsMissingIsAskedFor) {
  const Ended ended = run(on_mpi(testing::ddp_case("a")), {{"PATH", "/nowhere"}});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("mpirun is in no folder of PATH, but backend mpi needs it"),
                               HasSubstr("install Open MPI (Debian: openmpi-bin)")));
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(Mpirun, ThatStartsAnotherWorldIsAFault) {
  const Ended ended = run(on_mpi(testing::ddp_case("a")), {{"PATH", path_with("shift 2\nexec $MPIRUN -n 1 \"$@\"\n")}});
  EXPECT_EQ(ended.status, 4);
  ASSERT_EQ(rows().size(), 1u);
  EXPECT_EQ(rows()[0].at("detail"), "mpirun has started rank 0 of 1, but a world of 2 was asked for");
}

TEST_F(Mpirun, ThatFailsIsQuoted) {
  const Ended ended = run(on_mpi(testing::ddp_case("a")), {{"PATH", path_with("echo no slots today; exit 3\n")}});
  EXPECT_EQ(ended.status, 4);
  ASSERT_EQ(rows().size(), 1u);
  EXPECT_EQ(rows()[0].at("detail"), "mpirun exited with status 3 when 0 of 2 ranks were there: no slots today");
}

/// mpirun has not the session's process groups, so an interrupt and a death of the driver must reach its ranks.
class EndlessMpirun : public Mpirun {
 protected:
  EndlessMpirun()
      : program_({"run", suite(on_mpi(testing::ddp_case("first") + testing::endless_case)), "--out", "out"},
                 folder_.path()) {
    const fs::path file = folder_.path() / "out/results.csv";
    for (int i = 0; i < 6000 && !(fs::exists(file) && rows().size() == 1); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // The driver, those that run plugins and references for it, mpirun, and two ranks.
    EXPECT_EQ(program_.processes().size(), 6u);
  }
  testing::Program program_;
};

TEST_F(EndlessMpirun, AnInterruptEndsAll) {
  ASSERT_EQ(::kill(program_.id(), SIGINT), 0);
  EXPECT_EQ(program_.wait().status, 130);
  EXPECT_TRUE(program_.processes().empty());
}

TEST_F(EndlessMpirun, RanksEndWithADriverThatIsKilled) {
  ASSERT_EQ(::kill(program_.id(), SIGKILL), 0);
  EXPECT_EQ(program_.wait().status, 128 + SIGKILL);
  for (int i = 0; i < 6000 && !program_.processes().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(program_.processes().empty());
}

}  // namespace
}  // namespace shardbench
