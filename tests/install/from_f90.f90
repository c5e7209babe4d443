! Every rank sends its number to all; stops with status 1 if a wrong one arrives.
program from_f90
   use mpi_f08
   use shunt
   implicit none
   integer, allocatable :: sent(:), received(:)
   integer :: rank, ranks, peer

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   sent = [(rank, peer=1, ranks)]
   received = 0*sent
   call SHUNT_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD)
   call MPI_Finalize()
   if (any(received /= [(peer, peer=0, ranks - 1)])) stop 1
end program
