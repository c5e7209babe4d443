! Every rank sends a block of its own length to every rank, once as a call and three times by a
! request; both are planned and made by Shunt.
program hello_alltoallv
   use mpi_f08
   use shunt
   implicit none
   integer, allocatable :: send(:), received(:)
   integer, allocatable, dimension(:) :: sendcounts, sdispls, recvcounts, rdispls
   type(SHUNT_Request) :: request
   integer :: rank, ranks, peer, round, wrong

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)

   ! Rank i has mod(i + j, 3) numbers for rank j.
   allocate (sdispls(ranks), rdispls(ranks))
   sendcounts = [(mod(rank + peer, 3), peer=0, ranks - 1)]
   recvcounts = sendcounts
   sdispls = [(sum(sendcounts(1:peer)), peer=0, ranks - 1)]
   rdispls = sdispls
   send = [(rank, peer=1, sum(sendcounts))]
   allocate (received(sum(recvcounts)))

   call SHUNT_Alltoallv(send, sendcounts, sdispls, MPI_INTEGER, &
                        received, recvcounts, rdispls, MPI_INTEGER, MPI_COMM_WORLD)
   wrong = wrong_ones()

   call SHUNT_Alltoallv_init(send, sendcounts, sdispls, MPI_INTEGER, received, recvcounts, rdispls, &
                             MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
   do round = 1, 3
      received = -1
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      wrong = wrong + wrong_ones()
   end do
   call SHUNT_Request_free(request)

   call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
   if (rank == 0) print '(i0, a, i0, a)', ranks, ' ranks exchanged blocks from Fortran, ', wrong, ' wrong'
   call MPI_Finalize()
   if (wrong > 0) stop 1

contains

   ! What comes from a rank is its number.
   integer function wrong_ones()
      integer :: source, place
      wrong_ones = 0
      do source = 0, ranks - 1
         do place = rdispls(source + 1) + 1, rdispls(source + 1) + recvcounts(source + 1)
            if (received(place) /= source) wrong_ones = wrong_ones + 1
         end do
      end do
   end function

end program
