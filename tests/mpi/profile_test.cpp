// Which profile the ranks of a communicator agree on.
#include "model/profile.hpp"

#include <string>

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "lab/traffic/patterns.hpp"
#include "mpi/block_case.hpp"
#include "support/temporary_file.hpp"
#include "support/variable.hpp"

namespace shunt::test {
namespace {

/// Of this communicator, and like no typical one.
std::string own_profile() {
  Profile profile = typical_profile(Context::of(MPI_COMM_WORLD)->topology.site());
  profile.reduction = 0.125;
  profile.date = "2000-01-01";
  return to_json(profile).dump();
}

/// What the ranks of a new communicator get where SHUNT_PROFILE names these files, on rank 0 and
/// elsewhere.
Profile agreed(const std::string& first, const std::string& others) {
  const Variable named("SHUNT_PROFILE", (world_rank() == 0 ? first : others).c_str());
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Profile profile = *Context::of(comm)->tuning.profile();
  MPI_Comm_free(&comm);
  return profile;
}

TEST(AgreedProfile, IsThatOfTheFirstRank) {
  const TemporaryFile good(".json", own_profile());
  const TemporaryFile bad(".json", "{");
  const Profile profile = agreed(good.path(), bad.path());
  EXPECT_EQ(profile.reduction, 0.125);
  EXPECT_EQ(profile.date, "2000-01-01");
  EXPECT_EQ(profile.site.ranks, world_size());
}

TEST(AgreedProfile, IsTypicalWhereTheFirstRankHasABadOne) {
  const TemporaryFile good(".json", own_profile());
  const TemporaryFile bad(".json", "{\"format\": \"shunt-profile\", \"version\": 1}");
  const Profile profile = agreed(bad.path(), good.path());
  EXPECT_EQ(profile.date, "");
  EXPECT_EQ(profile.reduction, typical_profile(profile.site).reduction);
}

TEST(AgreedProfile, LetsPlansBeChosen) {
  const TemporaryFile good(".json", own_profile());
  const Variable named("SHUNT_PROFILE", good.path().c_str());
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    Communicator communicator(comm);
    const auto traffic = make_traffic("random", {world_size(), 50, 3, 5});
    BlockCase blocks(*traffic, 12, everything);
    blocks.poison();
    Plan plan = communicator.plan_alltoallv(blocks.to_send(), blocks.send_bytes(),
                                            blocks.to_receive(), blocks.receive_bytes(), {});
    plan.execute();
    EXPECT_EQ(blocks.received, blocks.expected);
    EXPECT_EQ(Context::of(comm)->tuning.profile()->reduction, 0.125);
  }
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace shunt::test
