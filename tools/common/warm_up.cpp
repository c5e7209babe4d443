#include "tools/common/warm_up.hpp"

namespace shunt {

Option add_warm_up(Command command, int& warm_up) {
  return command
      .add_option("--warm-up", warm_up,
                  "Exchanges by auto, which learns from them,\nbefore any is timed")
      .shows_default()
      .between(1, 1000000);
}

}  // namespace shunt
