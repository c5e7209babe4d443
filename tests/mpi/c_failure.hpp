// What a failed call of the C interface returns and says.
#pragma once

#include <string>

#include <gtest/gtest.h>
#include <mpi.h>

#include "shunt/shunt.h"

namespace shunt::test {

/// The class of `code`, and the sentence, are as expected.
inline void expect_failure(int code, int error_class, const std::string& words) {
  int found = MPI_SUCCESS;
  MPI_Error_class(code, &found);
  EXPECT_EQ(found, error_class);
  EXPECT_NE(std::string(SHUNT_Last_error()).find(words), std::string::npos)
      << "\"" << SHUNT_Last_error() << "\" does not say \"" << words << "\"";
}

}  // namespace shunt::test
