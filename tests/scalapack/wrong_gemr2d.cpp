// Calls pdgemr2d in a way that ends the program: "leading" with a leading dimension that is too
// short, "grid" with another grid on rank 0 than on the others; "uplo": pdtrmr2d with a wrong
// letter.
#include <string_view>
#include <vector>

#include <mpi.h>

#include "tools/scalapack/blacs_grid.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are theirs.
extern "C" {
void Cpdgemr2d(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
void Cpdtrmr2d(const char*, const char*, int, int, const double*, int, int, const int*, double*,
               int, int, const int*, int);
}
// NOLINTEND(readability-identifier-naming)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string_view wrong = argc > 1 ? argv[1] : "";
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const shunt::bench::BlacsGrid all(1, ranks);
  const shunt::bench::BlacsGrid first(1, 1);
  const bool in_other = wrong == "grid" && first.has_this();
  const int leading = wrong == "leading" ? 9 : 10;
  const std::vector<int> to{1, all.context(), 10, 10, 2, 2, 0, 0, 10};
  const std::vector<int> from{
      1, in_other ? first.context() : all.context(), 10, 10, 2, 2, 0, 0, leading};
  const std::vector<double> source(100);
  std::vector<double> target(100);
  if (wrong == "uplo") {
    Cpdtrmr2d("x", "n", 10, 10, source.data(), 1, 1, from.data(), target.data(), 1, 1, to.data(),
              all.context());
  }
  Cpdgemr2d(10, 10, source.data(), 1, 1, from.data(), target.data(), 1, 1, to.data(),
            all.context());
  MPI_Finalize();
}
