// What a persistent request of the C interface starts and waits for.
#pragma once

namespace shunt::c {

class Persistent {
 public:
  Persistent() = default;
  Persistent(const Persistent&) = delete;
  Persistent& operator=(const Persistent&) = delete;
  virtual ~Persistent() = default;

  virtual void start() = 0;
  virtual void wait() = 0;
  /// Whether it is over.
  [[nodiscard]] virtual bool test() = 0;
};

}  // namespace shunt::c
