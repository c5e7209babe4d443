// What a proof says is wrong.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace shunt {

using Sentences = std::vector<std::string>;

inline const Sentences kNothing;

/// Whether one of the sentences contains `text`.
inline testing::AssertionResult contains(const Sentences& sentences, const std::string& text) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(text) != std::string::npos) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "no sentence contains \"" << text << "\": " << testing::PrintToString(sentences);
}

}  // namespace shunt
