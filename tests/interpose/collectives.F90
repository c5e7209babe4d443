! The collectives of MPI that Shunt takes, from Fortran, by whichever of its three interfaces the
! macro names. The output must be the same with Shunt and without.
program collectives
#if defined(BY_MPI_F08)
   use mpi_f08
#elif defined(BY_MPI)
   use mpi
#endif
   implicit none
#if defined(BY_MPIF_H)
   include 'mpif.h'
#endif
#if defined(BY_MPI_F08)
#define DATATYPE type(MPI_Datatype)
#else
#define DATATYPE integer
#endif
   integer, parameter :: most_ranks = 16, block = 40
   integer :: out(block*most_ranks), in(block*most_ranks)
   integer, dimension(most_ranks) :: counts_out, counts_in, places_out, places_in
   integer :: rank, ranks, failure

   call MPI_Init(failure)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failure)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, failure)
   call try_alltoall()
   call try_alltoallv()
   call try_alltoallw()
   call try_in_place()
   call try_bottom()
   call try_allgather()
   call try_allgatherv()
   call try_allgather_bottom()
   call try_rooted()
   call MPI_Finalize(failure)

contains

   subroutine try_rooted()
      integer :: peer
      call fill()
      do peer = 0, ranks - 1
         counts_in(peer + 1) = mod(peer, 4)*5
      end do
      if (rank == 1) then
         call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, in, counts_in, places_in, MPI_INTEGER, 1, &
                          MPI_COMM_WORLD, failure)
         call MPI_Scatterv(in, counts_in, places_in, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 1, &
                           MPI_COMM_WORLD, failure)
      else
         call MPI_Gatherv(out, counts_in(rank + 1), MPI_INTEGER, in, counts_in, places_in, &
                          MPI_INTEGER, 1, MPI_COMM_WORLD, failure)
         call MPI_Scatterv(out, counts_in, places_in, MPI_INTEGER, in, counts_in(rank + 1), &
                           MPI_INTEGER, 1, MPI_COMM_WORLD, failure)
      end if
      call print_checksum('rooted')
   end subroutine

   subroutine fill()
      integer :: i, peer
      do i = 1, size(out)
         out(i) = 1000000*(rank + 1) + i
         in(i) = -i
      end do
      do peer = 0, ranks - 1
         counts_out(peer + 1) = mod(7*rank + 3*peer, 5)*8
         counts_in(peer + 1) = mod(7*peer + 3*rank, 5)*8
         places_out(peer + 1) = peer*block
         places_in(peer + 1) = (ranks - 1 - peer)*block
      end do
   end subroutine

   subroutine try_alltoall()
      call fill()
      call MPI_Alltoall(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call print_checksum('alltoall')
   end subroutine

   subroutine try_alltoallv()
      call fill()
      call MPI_Alltoallv(out, counts_out, places_out, MPI_INTEGER, in, counts_in, places_in, &
                         MPI_INTEGER, MPI_COMM_WORLD, failure)
      call print_checksum('alltoallv')
   end subroutine

   ! Four integers for each peer: every other one is sent; from even ranks they come as two pairs.
   subroutine try_alltoallw()
      DATATYPE :: strided, pair, types_out(most_ranks), types_in(most_ranks)
      integer :: peer
      call fill()
      call MPI_Type_vector(4, 1, 2, MPI_INTEGER, strided, failure)
      call MPI_Type_commit(strided, failure)
      call MPI_Type_contiguous(2, MPI_INTEGER, pair, failure)
      call MPI_Type_commit(pair, failure)
      do peer = 0, ranks - 1
         types_out(peer + 1) = strided
         types_in(peer + 1) = MPI_INTEGER
         counts_in(peer + 1) = 4
         if (mod(peer, 2) == 0) then
            types_in(peer + 1) = pair
            counts_in(peer + 1) = 2
         end if
      end do
      counts_out = 1
      call MPI_Alltoallw(out, counts_out, 4*places_out, types_out, in, counts_in, 4*places_in, &
                         types_in, MPI_COMM_WORLD, failure)
      call print_checksum('alltoallw')
      call MPI_Type_free(strided, failure)
      call MPI_Type_free(pair, failure)
   end subroutine

   ! What is said of the send side does not count.
   subroutine try_in_place()
      DATATYPE :: types(most_ranks)
      integer :: peer
      call fill()
      in = out
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, block, MPI_INTEGER, &
                        MPI_COMM_WORLD, failure)
      do peer = 0, ranks - 1
         counts_in(peer + 1) = mod(rank + peer, 4)
         types(peer + 1) = MPI_INTEGER
      end do
      call MPI_Alltoallv(MPI_IN_PLACE, counts_out, places_out, MPI_INTEGER, in, counts_in, &
                         places_in, MPI_INTEGER, MPI_COMM_WORLD, failure)
      call MPI_Alltoallw(MPI_IN_PLACE, counts_out, places_out, types, in, counts_in, &
                         4*places_in, types, MPI_COMM_WORLD, failure)
      call print_checksum('in place')
   end subroutine

   ! Types that hold the addresses themselves.
   subroutine try_bottom()
      DATATYPE :: type_out(most_ranks), type_in(most_ranks)
      integer :: zeros(most_ranks), ones(most_ranks), peer
      integer(MPI_ADDRESS_KIND) :: address(1)
      call fill()
      zeros = 0
      ones = 1
      do peer = 1, ranks
         call MPI_Get_address(out(places_out(peer) + 1), address(1), failure)
         call MPI_Type_create_hindexed(1, [5], address, MPI_INTEGER, type_out(peer), failure)
         call MPI_Type_commit(type_out(peer), failure)
         call MPI_Get_address(in(places_in(peer) + 1), address(1), failure)
         call MPI_Type_create_hindexed(1, [5], address, MPI_INTEGER, type_in(peer), failure)
         call MPI_Type_commit(type_in(peer), failure)
      end do
      call MPI_Alltoallw(MPI_BOTTOM, ones, zeros, type_out, MPI_BOTTOM, ones, zeros, type_in, &
                         MPI_COMM_WORLD, failure)
      call look_again(in)
      call print_checksum('bottom')
      do peer = 1, ranks
         call MPI_Type_free(type_out(peer), failure)
         call MPI_Type_free(type_in(peer), failure)
      end do
   end subroutine

   ! All have as much for all. In place, what is said of the send side does not count.
   subroutine try_allgather()
      call fill()
      call MPI_Allgather(out, block, MPI_INTEGER, in, block, MPI_INTEGER, MPI_COMM_WORLD, failure)
      in = in + rank
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, block, MPI_INTEGER, &
                         MPI_COMM_WORLD, failure)
      call print_checksum('allgather')
   end subroutine

   ! A third of the ranks has something for all.
   subroutine try_allgatherv()
      integer :: peer
      call fill()
      counts_in = 0
      do peer = 1, ranks - 1, 3
         counts_in(peer + 1) = peer + 1
      end do
      call MPI_Allgatherv(out, counts_in(rank + 1), MPI_INTEGER, in, counts_in, places_in, &
                          MPI_INTEGER, MPI_COMM_WORLD, failure)
      in = in + rank
      call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts_in, places_in, &
                          MPI_INTEGER, MPI_COMM_WORLD, failure)
      call print_checksum('allgatherv')
   end subroutine

   ! Elements of five integers, the first of which lies where its type says; by the second call only
   ! the last rank has one.
   subroutine try_allgather_bottom()
      DATATYPE :: type_out, type_in
      integer(MPI_ADDRESS_KIND) :: address(1)
      integer :: peer
      call fill()
      call MPI_Get_address(out(1), address(1), failure)
      call MPI_Type_create_hindexed(1, [5], address, MPI_INTEGER, type_out, failure)
      call MPI_Type_commit(type_out, failure)
      call MPI_Get_address(in(1), address(1), failure)
      call MPI_Type_create_hindexed(1, [5], address, MPI_INTEGER, type_in, failure)
      call MPI_Type_commit(type_in, failure)
      call MPI_Allgather(MPI_BOTTOM, 1, type_out, MPI_BOTTOM, 1, type_in, MPI_COMM_WORLD, failure)
      counts_in = 0
      counts_in(ranks) = 1
      do peer = 0, ranks - 1
         places_in(peer + 1) = ranks + 2*peer
      end do
      call MPI_Allgatherv(MPI_BOTTOM, counts_in(rank + 1), type_out, MPI_BOTTOM, counts_in, &
                          places_in, type_in, MPI_COMM_WORLD, failure)
      call look_again(in)
      call print_checksum('allgather from bottom')
      call MPI_Type_free(type_out, failure)
      call MPI_Type_free(type_in, failure)
   end subroutine

   ! The compiler does not see that MPI_BOTTOM reaches the array.
   subroutine look_again(array)
      integer, volatile :: array(:)
      array(1) = array(1)
   end subroutine

   ! A sum over all ranks, in which every element has a weight of its own.
   subroutine print_checksum(name)
      character(*), intent(in) :: name
      integer(8) :: own, total
      integer :: i
      own = 0
      do i = 1, size(in)
         own = own + int(in(i), 8)*(i + 1000*rank)
      end do
      call MPI_Reduce(own, total, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, failure)
      if (rank == 0) print '(a, a, i0)', name, ': ', total
   end subroutine
end program
