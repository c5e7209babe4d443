! The collectives of Shunt with the handles of `use mpi_f08`.
module shunt_f08
   use, intrinsic :: iso_c_binding, only: c_int
   use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Info, in_place_f08 => MPI_IN_PLACE, &
                      bottom_f08 => MPI_BOTTOM
   use shunt_entries
   implicit none
   private

   public :: alltoall_f08, alltoallv_f08, alltoallw_f08
   public :: alltoall_init_f08, alltoallv_init_f08, alltoallw_init_f08
   public :: allgather_f08, allgatherv_f08, allgather_init_f08, allgatherv_init_f08

contains

   subroutine alltoall_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                           ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_alltoall(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, &
                        recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallv_f08(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
                            rdispls, recvtype, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_alltoallv(sendbuf, sendcounts, sdispls, sendtype%MPI_VAL, recvbuf, recvcounts, &
                         rdispls, recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallw_f08(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                            rdispls, recvtypes, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      type(MPI_Datatype), dimension(*), intent(in) :: sendtypes, recvtypes
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code
      integer :: ranks

      call ranks_of(comm, ranks)
      code = c_alltoallw(sendbuf, sendcounts, sdispls, sendtypes(1:ranks)%MPI_VAL, recvbuf, &
                         recvcounts, rdispls, recvtypes(1:ranks)%MPI_VAL, comm%MPI_VAL, &
                         in_place_f08, bottom_f08)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoall_init_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
                                comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_alltoall_init(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, &
                             recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallv_init_f08(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
                                 rdispls, recvtype, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype%MPI_VAL, recvbuf, &
                              recvcounts, rdispls, recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, &
                              bottom_f08, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallw_init_f08(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                                 rdispls, recvtypes, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      type(MPI_Datatype), dimension(*), intent(in) :: sendtypes, recvtypes
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code
      integer :: ranks

      associate (unused => info)
      end associate
      call ranks_of(comm, ranks)
      code = c_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes(1:ranks)%MPI_VAL, recvbuf, &
                              recvcounts, rdispls, recvtypes(1:ranks)%MPI_VAL, comm%MPI_VAL, &
                              in_place_f08, bottom_f08, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                            ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_allgather(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, &
                         recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgatherv_f08(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                             displs, recvtype, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount
      integer, dimension(*), intent(in) :: recvcounts, displs
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_allgatherv(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcounts, &
                          displs, recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgather_init_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
                                 comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_allgather_init(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, &
                              recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, bottom_f08, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgatherv_init_f08(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                                  displs, recvtype, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount
      integer, dimension(*), intent(in) :: recvcounts, displs
      type(MPI_Datatype), intent(in) :: sendtype, recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_allgatherv_init(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, &
                               recvcounts, displs, recvtype%MPI_VAL, comm%MPI_VAL, in_place_f08, &
                               bottom_f08, request)
      if (present(ierror)) ierror = code
   end subroutine

   ! Of an invalid communicator: none, since the error is found afterwards.
   subroutine ranks_of(comm, ranks)
      use mpi_f08, only: MPI_Comm_size, MPI_COMM_NULL, operator(==)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out) :: ranks
      ranks = 0
      if (.not. comm == MPI_COMM_NULL) call MPI_Comm_size(comm, ranks)
   end subroutine

end module
