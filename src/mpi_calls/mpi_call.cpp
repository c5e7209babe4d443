#include "mpi_calls/mpi_call.hpp"

#include <algorithm>
#include <climits>
#include <numeric>

#include <fmt/format.h>

#include "model/narrow.hpp"
#include "mpi_calls/errors_returned.hpp"

namespace shunt {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  throw Error(
      error_class == MPI_ERR_TRUNCATE ? ErrorKind::truncated : ErrorKind::communication,
      fmt::format("{}: {}", call, std::string_view(text, static_cast<std::size_t>(length))));
}

int mpi_error_class(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::argument:
      return MPI_ERR_ARG;
    case ErrorKind::buffer:
      return MPI_ERR_BUFFER;
    case ErrorKind::count:
      return MPI_ERR_COUNT;
    case ErrorKind::type:
      return MPI_ERR_TYPE;
    case ErrorKind::rank:
      return MPI_ERR_RANK;
    case ErrorKind::root:
      return MPI_ERR_ROOT;
    case ErrorKind::communicator:
      return MPI_ERR_COMM;
    case ErrorKind::truncated:
      return MPI_ERR_TRUNCATE;
    case ErrorKind::request:
      return MPI_ERR_REQUEST;
    case ErrorKind::file:
      return MPI_ERR_FILE;
    case ErrorKind::communication:
      return MPI_ERR_OTHER;
    case ErrorKind::internal:
      return MPI_ERR_INTERN;
  }
  return MPI_ERR_UNKNOWN;
}

ByteCount::ByteCount(Bytes bytes, MPI_Datatype pieces) : count_(1), type_(pieces) {
  if (pieces != MPI_DATATYPE_NULL) return;
  if (bytes <= INT_MAX) {
    count_ = static_cast<int>(bytes);
    type_ = MPI_BYTE;
    return;
  }
  constexpr Bytes kChunk = Bytes{1} << 30;
  MPI_Datatype chunk = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(kChunk), MPI_BYTE, &chunk), "MPI_Type_contiguous");
  int lengths[] = {narrow<int>(bytes / kChunk, "the number of chunks of a message"),
                   static_cast<int>(bytes % kChunk)};
  MPI_Aint offsets[] = {0, static_cast<MPI_Aint>(bytes - bytes % kChunk)};
  MPI_Datatype types[] = {chunk, MPI_BYTE};
  check_mpi(MPI_Type_create_struct(2, lengths, offsets, types, &type_), "MPI_Type_create_struct");
  owned_ = true;
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  check_mpi(MPI_Type_free(&chunk), "MPI_Type_free");
}

ByteCount::~ByteCount() {
  if (owned_) MPI_Type_free(&type_);
}

MPI_Request start_send(const std::byte* data, const ByteCount& bytes, const Peer& to) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(data, bytes.count(), bytes.type(), to.rank, to.tag, to.comm, &request),
            "MPI_Isend");
  return request;
}

MPI_Request start_receive(std::byte* data, const ByteCount& bytes, const Peer& from) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(data, bytes.count(), bytes.type(), from.rank, from.tag, from.comm, &request),
            "MPI_Irecv");
  return request;
}

bool all_or_any(MPI_Comm comm, bool all, bool any) {
  const ErrorsReturned returned(comm);
  const int own[] = {all ? 1 : 0, any ? 0 : 1};
  int least[] = {0, 1};
  if (MPI_Allreduce(own, least, 2, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) return false;
  return least[0] == 1 || least[1] == 0;
}

void abandon(std::span<MPI_Request> requests) {
  if (requests.empty() || !mpi_is_running()) return;
  for (MPI_Request& request : requests) {
    if (request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
}

Error wrong_length(Rank from, Bytes expected) {
  return {ErrorKind::truncated,
          fmt::format("the message from rank {} has another length than the {} bytes that the "
                      "counts promise",
                      from, expected)};
}

Error no_message(Rank from) {
  return {ErrorKind::truncated,
          fmt::format("a message from rank {} is expected, which sends none", from)};
}

void expect_own_block(Rank rank, Bytes sent, Bytes expected) {
  if (sent == expected) return;
  throw Error(ErrorKind::truncated,
              fmt::format("rank {} sends itself {} bytes and expects {}", rank, sent, expected));
}

void expect_length(const MPI_Status& status, Bytes expected, Rank from, MPI_Datatype pieces) {
  const ByteCount size(expected, pieces);
  int count = 0;
  check_mpi(MPI_Get_count(&status, size.type(), &count), "MPI_Get_count");
  if (count != size.count()) throw wrong_length(from, expected);
}

Bytes received_bytes(const MPI_Status& status) {
  int count = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  return count;
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  check_mpi(MPI_Comm_get_name(comm, name, &length), "MPI_Comm_get_name");
  return {name, static_cast<std::size_t>(length)};
}

std::vector<Rank> world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  int size = 0;
  check_mpi(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  MPI_Group_size(group, &size);
  std::vector<Rank> ranks(static_cast<std::size_t>(size));
  std::vector<Rank> world_ranks(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  const int code = MPI_Group_translate_ranks(group, size, ranks.data(), world, world_ranks.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  check_mpi(code, "MPI_Group_translate_ranks");
  const bool foreign = std::ranges::find(world_ranks, MPI_UNDEFINED) != world_ranks.end();
  return foreign ? std::vector<Rank>() : world_ranks;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  std::string name = text;
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  std::ranges::replace(name, '\t', ' ');
  return name;
}

bool mpi_is_running() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

}  // namespace shunt
