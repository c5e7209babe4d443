#include "context/scratch.hpp"

namespace shunt {

Bytes Scratch::capacity() const {
  Bytes bytes = staged.capacity();
  for (const auto* pair : {&send, &self, &heads})
    bytes += (*pair)[0].capacity() + (*pair)[1].capacity();
  return bytes;
}

void Scratch::release() {
  staged.release();
  for (auto* pair : {&send, &self, &heads}) {
    (*pair)[0].release();
    (*pair)[1].release();
  }
}

}  // namespace shunt
