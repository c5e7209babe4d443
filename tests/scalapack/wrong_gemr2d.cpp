// Calls pdgemr2d with a leading dimension that is too short, which ends the program.
#include <vector>

#include <mpi.h>

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cpdgemr2d(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int context = -1;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, ranks);
  const std::vector<int> descriptor{1, context, 10, 10, 2, 2, 0, 0, 9};
  const std::vector<double> from(100);
  std::vector<double> to(100);
  Cpdgemr2d(10, 10, from.data(), 1, 1, descriptor.data(), to.data(), 1, 1, descriptor.data(),
            context);
  MPI_Finalize();
}
