// The two ways round a dimension of a torus.
#pragma once

namespace shunt {

/// Which way round a dimension a message goes where both ways are equally long.
enum class Way {
  forward,
  backward,
  both  ///< half of the message each way
};

}  // namespace shunt
