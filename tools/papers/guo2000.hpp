// The program of Guo 2000, Section 5, and the orders in which its messages can be sent.
#pragma once

#include <vector>

#include "lab/picture/line_chart.hpp"
#include "lab/simulation/sends_in_order.hpp"
#include "model/loads.hpp"
#include "schedule/one_port.hpp"
#include "shunt/types.hpp"
#include "tools/papers/reproduction.hpp"

namespace shunt::guo2000 {

/// The paper has no figures for CP-PACS. These are those of Liu 2002, Table 1, for another machine
/// of the time, whose network the programs reached through a library too: the Cray T3D.
inline constexpr LinkCost kT3d{38e-6, 0.043e-6, 0.01e-6};

/// The order in which a processor sends its messages.
enum class SendOrder {
  scheduled,  ///< by Algorithm 1
  ascending,  ///< Fig. 1: by receiver; and receives by sender
  staggered,  ///< Fig. 4: by receiver from its own number on, cyclically; receives backwards
  to_all      ///< Fig. 1 as printed: ascending, empty messages too
};

struct Sending {
  const char* name;
  SendOrder order;
  Receiving receiving;
};

/// The first is the paper's; a receiver has all messages of earlier steps before it takes one. In
/// the others it takes what comes, or what its own loop is at.
inline constexpr Sending kSendings[] = {
    {"scheduled", SendOrder::scheduled, Receiving::in_order},
    {"ascending", SendOrder::ascending, Receiving::as_they_come},
    {"staggered", SendOrder::staggered, Receiving::as_they_come},
    {"ascending, in order", SendOrder::ascending, Receiving::in_order},
    {"staggered, in order", SendOrder::staggered, Receiving::in_order},
    {"to all", SendOrder::to_all, Receiving::as_they_come},
};

/// The messages of REDISTRIBUTE in the paper's program: 120000 elements of 4 bytes, CYCLIC(2 beta)
/// to CYCLIC(2) on the same `places`.
[[nodiscard]] std::vector<SizedMessage> messages_of(Index beta, Rank places, SendOrder order);

/// What they take on processors that have one message in and one out at a time.
[[nodiscard]] double seconds_of(Index beta, Rank places, const Sending& sending,
                                const LinkCost& cost);

/// A curve for each of `kSendings`, by places.
[[nodiscard]] Panel panel_of(Index beta, const std::vector<Rank>& places, const LinkCost& cost);

/// Returns the seconds until a processor has received `bytes` bytes from each of `senders` others,
/// which send at the same time.
[[nodiscard]] double seconds_to_one(Rank senders, Bytes bytes);

/// Returns the claims about the model and about the schedules.
[[nodiscard]] std::vector<Claim> claims();

}  // namespace shunt::guo2000
