// Expects a call to throw shunt::Error of a kind, with a sentence that contains some words.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "shunt/error.hpp"

namespace shunt::test {

template <class Call>
void expect_error(ErrorKind kind, const std::string& words, Call call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown where \"" << words << "\" was expected";
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
        << "\"" << error.what() << "\" does not say \"" << words << "\"";
  }
}

}  // namespace shunt::test
