#include "shunt/communicator.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bindings/agreed.hpp"
#include "bindings/byte_blocks.hpp"
#include "bindings/checked.hpp"
#include "bindings/named_options.hpp"
#include "bindings/plan_implementation.hpp"
#include "bindings/redistribution_calls.hpp"
#include "bindings/side_parts.hpp"
#include "bindings/typed_side.hpp"
#include "collective/alltoallv/alltoallv.hpp"
#include "context/context.hpp"
#include "context/device_memory.hpp"
#include "engine/block_exchange.hpp"
#include "engine/record_exchange.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "transport/node_memory.hpp"

namespace shunt {

namespace {

bool are_counts(const std::vector<Count>& counts, Rank ranks) {
  return std::ssize(counts) == ranks && std::ranges::min(counts) >= 0;
}

void expect_counts(const std::vector<Count>& counts, Rank ranks) {
  if (std::ssize(counts) != ranks) {
    throw Error(ErrorKind::count, fmt::format("there are {} counts; the communicator has {} ranks",
                                              counts.size(), ranks));
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] < 0) throw negative_count(counts[k], "send", k);
  }
}

}  // namespace

Communicator::Communicator(MPI_Comm comm) : state_(Context::of(comm)) {}

Rank Communicator::rank() const { return state_->rank(); }
Rank Communicator::ranks() const { return state_->ranks(); }

Counters Communicator::alltoallv_bytes(std::span<const std::byte> send, const Layout& send_layout,
                                       std::span<std::byte> receive, const Layout& receive_layout,
                                       std::size_t element, const Options& asked) {
  const NamedOptions options(asked);
  SendBlocks& out = state_->scratch.send_blocks;
  ReceiveBlocks& in = state_->scratch.receive_blocks;
  const auto read = [&] {
    read_blocks(out, send, send_layout, element, ranks());
    read_blocks(in, receive, receive_layout, element, ranks());
    expect_own_block(rank(), out.bytes[index_of(rank())], in.bytes[index_of(rank())]);
  };
  const auto leave_out = [&] {
    clear_blocks(out, ranks());
    clear_blocks(in, ranks());
  };
  return take_part(read, leave_out, [&] {
    PlainParts buffers(&out, &in);
    return run_traced({shunt::alltoallv(), state_, options}, "alltoallv", buffers);
  });
}

Counters Communicator::alltoallv(const void* send, const Layout& send_layout,
                                 MPI_Datatype send_type, void* receive,
                                 const Layout& receive_layout, MPI_Datatype receive_type,
                                 const Options& asked) {
  const NamedOptions options(asked);
  TypedSide out = no_blocks("send", ranks());
  TypedSide in = no_blocks("receive", ranks());
  const auto read = [&] {
    TypedSide sent = typed_side(send, send_layout, send_type, ranks(), "send");
    TypedSide received = typed_side(receive, receive_layout, receive_type, ranks(), "receive");
    expect_own_block(rank(), sent.blocks()[index_of(rank())].bytes,
                     received.blocks()[index_of(rank())].bytes);
    out = std::move(sent);
    in = std::move(received);
  };
  const auto make = [&] {
    TypedParts sides(std::move(out), std::move(in));
    return run_traced({shunt::alltoallv(), state_, options}, "alltoallv", sides);
  };
  return take_part(
      read, [] {}, make);
}

Plan Communicator::plan_bytes(std::span<const std::byte> send, const Layout& send_layout,
                              std::span<std::byte> receive, const Layout& receive_layout,
                              std::size_t element, const Options& asked) {
  return plan_read(shunt::alltoallv(), state_, asked, "plan_alltoallv", [&] {
    SendBlocks out;
    ReceiveBlocks in;
    read_blocks(out, send, send_layout, element, ranks());
    read_blocks(in, receive, receive_layout, element, ranks());
    return std::make_unique<PlainParts>(std::move(out), std::move(in));
  });
}

Plan Communicator::plan_alltoallv(const void* send, const Layout& send_layout,
                                  MPI_Datatype send_type, void* receive,
                                  const Layout& receive_layout, MPI_Datatype receive_type,
                                  const Options& asked) {
  return plan_read(shunt::alltoallv(), state_, asked, "plan_alltoallv", [&] {
    return std::make_unique<TypedParts>(
        typed_side(send, send_layout, send_type, ranks(), "send"),
        typed_side(receive, receive_layout, receive_type, ranks(), "receive"));
  });
}

std::vector<Count> Communicator::transpose_counts(const std::vector<Count>& counts) {
  std::vector<Bytes> received = transpose_or_none(counts);
  expect_counts(counts, ranks());
  return received;
}

std::vector<Count> Communicator::transpose_or_none(const std::vector<Count>& counts) {
  std::vector<Bytes> sent(index_of(ranks()), 0);
  if (are_counts(counts, ranks())) sent = counts;
  std::vector<Bytes> received(sent.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(sent.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T,
                          state_->comm(), &request),
            "MPI_Ialltoall");
  state_->progress.complete(request);
  return received;
}

RawBuffer Communicator::exchange_records(std::span<const std::byte> records,
                                         const RecordShape& shape,
                                         const RecordClassifier* classifier,
                                         std::span<const Rank> destinations, const Options& asked,
                                         Counters* counters) {
  const NamedOptions options(asked);
  if (asked.memory != 0) {
    throw Error(ErrorKind::argument,
                fmt::format("the memory limit is {} bytes; exchanges of records take no limit",
                            asked.memory));
  }
  const std::size_t count = records.size() / shape.bytes;
  if (classifier == nullptr && destinations.size() != count) {
    throw Error(ErrorKind::count, fmt::format("there are {} destinations for {} records",
                                              destinations.size(), count));
  }
  expect_host_memory(records.data(), "send");
  RecordExchange exchange(*state_, one_shot_schedule(*state_, options), options, shape,
                          {classifier, destinations});
  Counters counted;
  RawBuffer received = exchange.run(records, counted);
  if (counters != nullptr) *counters = std::move(counted);
  return received;
}

Plan Communicator::plan_redistributions_bytes(
    const std::vector<ArrayTransfer<std::byte>>& transfers, std::size_t element,
    const Options& asked) {
  std::optional<NamedOptions> options;
  GatheredArrays gathered = agreed(*state_, [&] {
    options.emplace(asked);
    return gather_arrays(*state_, *options, transfers, static_cast<Bytes>(element));
  });
  return Plan(plan_gathered(state_, *options, std::move(gathered)));
}

Counters Communicator::redistribute_bytes(const ArrayTransfer<std::byte>& transfer,
                                          std::size_t element, const Options& asked) {
  const NamedOptions options(asked);
  const auto size = static_cast<Bytes>(element);
  return redistribute_once(state_, options,
                           [&] { return gather_arrays(*state_, options, {transfer}, size); });
}

std::pair<std::shared_ptr<const void>, std::span<std::byte>> Communicator::shared_bytes(
    Count count, std::size_t element) {
  const Bytes bytes = agreed(*state_, [&] {
    if (count < 0) {
      throw Error(ErrorKind::count,
                  fmt::format("the array has {} elements; it has at least none", count));
    }
    return times(count, static_cast<Bytes>(element), "an array in the node's memory");
  });
  std::shared_ptr<const NodeMemory> memory =
      NodeMemory::create(state_->comm(), state_->node(), bytes);
  const std::span<std::byte> own = memory->own();
  return {std::move(memory), own};
}

}  // namespace shunt
