! The functions of the module `shunt`, each beside MPI's own, by the handles of `use mpi` or `use
! mpi_f08`. Stops with status 1 if anything differs.
program collectives
#if defined(BY_MPI_F08)
   use mpi_f08
#define DATATYPE type(MPI_Datatype)
#else
   use mpi
#define DATATYPE integer
#endif
   use shunt
   implicit none
   integer, parameter :: most_ranks = 8, block = 40
   integer :: out(block*most_ranks), in(block*most_ranks), expected(block*most_ranks)
   integer, dimension(most_ranks) :: counts_out, counts_in, places_out, places_in
   DATATYPE, dimension(most_ranks) :: types
   integer :: rank, ranks, failure, wrong = 0
   type(SHUNT_Request) :: request

   call MPI_Init(failure)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failure)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, failure)
   types = MPI_INTEGER
   call try_once()
   call try_in_place()
   call try_requests()
   call try_broadcasts()
   call try_rooted()
   call try_errors()
   call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, failure)
   call MPI_Finalize(failure)
   if (wrong > 0) stop 1

contains

   ! `symmetric`: blocks of one length both ways, as in place.
   subroutine fill(round, symmetric)
      integer, intent(in) :: round
      logical, intent(in) :: symmetric
      integer :: i, peer
      do i = 1, size(out)
         out(i) = 1000000*(rank + 1) + 1000*round + i
      end do
      in = -1
      expected = -1
      do peer = 0, ranks - 1
         counts_out(peer + 1) = mod(7*rank + 3*peer, 5)*8
         counts_in(peer + 1) = mod(7*peer + 3*rank, 5)*8
         if (symmetric) counts_out(peer + 1) = mod(rank + peer, 5)*8
         if (symmetric) counts_in(peer + 1) = mod(rank + peer, 5)*8
         places_out(peer + 1) = peer*block
         places_in(peer + 1) = (ranks - 1 - peer)*block
      end do
   end subroutine

   subroutine compare(what)
      character(*), intent(in) :: what
      if (all(in == expected)) return
      wrong = wrong + 1
      print *, what, ' differs on rank', rank
   end subroutine

   subroutine try_once()
      call fill(1, .false.)
      call MPI_Alltoall(out, block, MPI_INTEGER, expected, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call SHUNT_Alltoall(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call compare('alltoall')
      call fill(2, .false.)
      call MPI_Alltoallv(out, counts_out, places_out, MPI_INTEGER, expected, counts_in, places_in, &
                         MPI_INTEGER, MPI_COMM_WORLD, failure)
      call SHUNT_Alltoallv(out, counts_out, places_out, MPI_INTEGER, in, counts_in, places_in, &
                           MPI_INTEGER, MPI_COMM_WORLD)
      call compare('alltoallv')
      call fill(3, .false.)
      places_out = 4*places_out
      places_in = 4*places_in
      ! Open MPI on one rank takes these places for multiples of the extent; there they are 0.
      call MPI_Alltoallw(out, counts_out, places_out, types, expected, counts_in, places_in, types, &
                         MPI_COMM_WORLD, failure)
      call SHUNT_Alltoallw(out, counts_out, places_out, types, in, counts_in, places_in, types, &
                           MPI_COMM_WORLD, failure)
      call compare('alltoallw')
   end subroutine

   ! The last rank has all blocks: once, in place, and as requests.
   subroutine try_rooted()
      integer :: root
      type(SHUNT_Request) :: back
      root = ranks - 1
      call fill(20, .true.)
      call MPI_Gatherv(out, counts_in(root + 1), MPI_INTEGER, expected, counts_in, places_in, &
                       MPI_INTEGER, root, MPI_COMM_WORLD, failure)
      call SHUNT_Gatherv(out, counts_in(root + 1), MPI_INTEGER, in, counts_in, places_in, &
                         MPI_INTEGER, root, MPI_COMM_WORLD, failure)
      call compare('gatherv')
      if (rank == root) then
         call MPI_Scatterv(out, counts_in, places_in, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, &
                           root, MPI_COMM_WORLD, failure)
         call SHUNT_Scatterv(out, counts_in, places_in, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, &
                             root, MPI_COMM_WORLD, failure)
      else
         call MPI_Scatterv(out, counts_in, places_in, MPI_INTEGER, expected, counts_in(root + 1), &
                           MPI_INTEGER, root, MPI_COMM_WORLD, failure)
         call SHUNT_Scatterv(out, counts_in, places_in, MPI_INTEGER, in, counts_in(root + 1), &
                             MPI_INTEGER, root, MPI_COMM_WORLD, failure)
      end if
      call compare('scatterv')
      call SHUNT_Gatherv_init(out, counts_in(root + 1), MPI_INTEGER, in, counts_in, places_in, &
                              MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, failure)
      call SHUNT_Scatterv_init(in, counts_in, places_in, MPI_INTEGER, out, counts_in(root + 1), &
                               MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, back, failure)
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      call SHUNT_Start(back)
      call SHUNT_Wait(back)
      call compare('requests with a root')
      call SHUNT_Request_free(back)
      call SHUNT_Request_free(request)
   end subroutine

   subroutine try_in_place()
      call fill(4, .true.)
      expected = out
      in = out
      call MPI_Alltoallv(MPI_IN_PLACE, counts_out, places_out, MPI_INTEGER, expected, counts_in, &
                         places_in, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call SHUNT_Alltoallv(MPI_IN_PLACE, counts_out, places_out, MPI_INTEGER, in, counts_in, &
                           places_in, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call compare('alltoallv in place')
   end subroutine

   subroutine try_requests()
      integer :: round
      logical :: over
      call fill(5, .false.)
      call SHUNT_Alltoallv_init(out, counts_out, places_out, MPI_INTEGER, in, counts_in, places_in, &
                                MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, failure)
      do round = 6, 9
         call fill(round, .false.)
         call MPI_Alltoallv(out, counts_out, places_out, MPI_INTEGER, expected, counts_in, &
                            places_in, MPI_INTEGER, MPI_COMM_WORLD, failure)
         call SHUNT_Start(request, failure)
         over = .false.
         do while (mod(round, 2) == 0 .and. .not. over)
            call SHUNT_Test(request, over, failure)
         end do
         call SHUNT_Wait(request)
         call compare('a request of alltoallv')
      end do
      call SHUNT_Request_free(request, failure)

      call SHUNT_Alltoall_init(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, &
                               MPI_INFO_NULL, request, failure)
      call fill(10, .false.)
      call MPI_Alltoall(out, block, MPI_INTEGER, expected, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      call compare('a request of alltoall')
      call SHUNT_Request_free(request)

      call fill(11, .false.)
      call MPI_Alltoallv(out, counts_out, places_out, MPI_INTEGER, expected, counts_in, places_in, &
                         MPI_INTEGER, MPI_COMM_WORLD, failure)
      places_out = 4*places_out
      places_in = 4*places_in
      call SHUNT_Alltoallw_init(out, counts_out, places_out, types, in, counts_in, places_in, types, &
                                MPI_COMM_WORLD, MPI_INFO_NULL, request, failure)
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      call compare('a request of alltoallw')
      call SHUNT_Request_free(request)
   end subroutine

   ! Blocks of different lengths for all, then equal ones, each at once, in place and as a request.
   subroutine try_broadcasts()
      integer :: peer
      call fill(13, .false.)
      do peer = 0, ranks - 1
         counts_in(peer + 1) = mod(3*peer + 1, 4)
      end do
      call MPI_Allgatherv(out, counts_in(rank + 1), MPI_INTEGER, expected, counts_in, places_in, &
                          MPI_INTEGER, MPI_COMM_WORLD, failure)
      call SHUNT_Allgatherv(out, counts_in(rank + 1), MPI_INTEGER, in, counts_in, places_in, &
                            MPI_INTEGER, MPI_COMM_WORLD, failure)
      call compare('allgatherv')
      in = -1
      in(places_in(rank + 1) + 1:places_in(rank + 1) + counts_in(rank + 1)) = &
         out(1:counts_in(rank + 1))
      call SHUNT_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, in, counts_in, places_in, MPI_INTEGER, &
                            MPI_COMM_WORLD)
      call compare('allgatherv in place')
      in = -1
      call SHUNT_Allgatherv_init(out, counts_in(rank + 1), MPI_INTEGER, in, counts_in, places_in, &
                                 MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, failure)
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      call compare('a request of allgatherv')
      call SHUNT_Request_free(request)

      call fill(14, .false.)
      call MPI_Allgather(out, block, MPI_INTEGER, expected, block, MPI_INTEGER, MPI_COMM_WORLD, &
                         failure)
      call SHUNT_Allgather(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call compare('allgather')
      in = -1
      call SHUNT_Allgather_init(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, &
                                MPI_INFO_NULL, request, failure)
      call SHUNT_Start(request)
      call SHUNT_Wait(request)
      call compare('a request of allgather')
      call SHUNT_Request_free(request)
   end subroutine

   subroutine try_errors()
      call fill(12, .false.)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, failure)
      counts_out = -1
      call SHUNT_Alltoallv(out, counts_out, places_out, MPI_INTEGER, in, counts_in, places_in, &
                           MPI_INTEGER, MPI_COMM_WORLD, failure)
      if (failure /= MPI_ERR_COUNT) wrong = wrong + 1
   end subroutine

end program
