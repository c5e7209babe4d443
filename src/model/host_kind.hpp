// What the hosts of a machine have in common.
#pragma once

#include <string>
#include <string_view>

namespace shunt {

/// The names of a cluster's hosts differ by numbers: "r#n#" of "r12n034". Nothing of a name that a
/// container draws at random (12 or more hexadecimal digits), since it never comes again.
[[nodiscard]] std::string host_family(std::string_view name);

/// Returns `text` with a question mark instead of each character that is not printable ASCII, which
/// files of profiles and wisdom do not hold.
[[nodiscard]] std::string printable(std::string text);

/// Returns the kind of this host: its processor, how many of them it has, and its family, as in
/// "AMD EPYC 7763, 128 processors, node#". Hosts of one kind are treated as equal.
[[nodiscard]] std::string host_kind();

}  // namespace shunt
