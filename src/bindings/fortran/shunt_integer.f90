! The collectives of Shunt with the handles of `use mpi`: integers.
module shunt_integer
   use, intrinsic :: iso_c_binding, only: c_int
   use mpi, only: mpi_in_place, mpi_bottom
   use shunt_entries
   implicit none
   private

   public :: alltoall_integer, alltoallv_integer, alltoallw_integer
   public :: alltoall_init_integer, alltoallv_init_integer, alltoallw_init_integer
   public :: allgather_integer, allgatherv_integer, allgather_init_integer, allgatherv_init_integer

contains

   subroutine alltoall_integer(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                               ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                        mpi_in_place, mpi_bottom)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallv_integer(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
                                rdispls, recvtype, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
                         recvtype, comm, mpi_in_place, mpi_bottom)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallw_integer(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                                rdispls, recvtypes, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      integer, dimension(*), intent(in) :: sendtypes, recvtypes
      integer, intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, &
                         recvtypes, comm, mpi_in_place, mpi_bottom)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoall_init_integer(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
                                    comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                             mpi_in_place, mpi_bottom, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallv_init_integer(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
                                     recvcounts, rdispls, recvtype, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
                              rdispls, recvtype, comm, mpi_in_place, mpi_bottom, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine alltoallw_init_integer(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
                                     recvcounts, rdispls, recvtypes, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
      integer, dimension(*), intent(in) :: sendtypes, recvtypes
      integer, intent(in) :: comm
      integer, intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                              rdispls, recvtypes, comm, mpi_in_place, mpi_bottom, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgather_integer(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                                ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                         mpi_in_place, mpi_bottom)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgatherv_integer(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                                 displs, recvtype, comm, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount
      integer, dimension(*), intent(in) :: recvcounts, displs
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
                          recvtype, comm, mpi_in_place, mpi_bottom)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgather_init_integer(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
                                     comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount, recvcount
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                              mpi_in_place, mpi_bottom, request)
      if (present(ierror)) ierror = code
   end subroutine

   subroutine allgatherv_init_integer(sendbuf, sendcount, sendtype, recvbuf, &
                                      recvcounts, displs, recvtype, comm, info, request, ierror)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: sendbuf, recvbuf
      integer, intent(in) :: sendcount
      integer, dimension(*), intent(in) :: recvcounts, displs
      integer, intent(in) :: sendtype, recvtype
      integer, intent(in) :: comm
      integer, intent(in) :: info
      type(SHUNT_Request), intent(out) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      associate (unused => info)
      end associate
      code = c_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                               displs, recvtype, comm, mpi_in_place, mpi_bottom, request)
      if (present(ierror)) ierror = code
   end subroutine

end module
