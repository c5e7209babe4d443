! Shunt for Fortran: the all-to-all collectives of MPI under the names SHUNT_..., with the arguments
! of MPI's own functions, and exchanges that are planned once and made many times.
!
!    use mpi_f08        ! or: use mpi
!    use shunt
!    call SHUNT_Alltoallv(send, sendcounts, sdispls, MPI_REAL, receive, recvcounts, rdispls, &
!                         MPI_REAL, MPI_COMM_WORLD)
!
! Handles are those of `use mpi_f08` or the integers of `use mpi`; ierror may be left out. What
! include/shunt/shunt.h says of communication, buffers, MPI_IN_PLACE, errors and the environment
! holds here too. Buffers are passed as they lie in memory: of an array section that is not
! contiguous the compiler makes a copy, which a request must not be made of.
module shunt
   use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_null_ptr
   use mpi, only: mpi_in_place, mpi_bottom
   use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Info, in_place_f08 => MPI_IN_PLACE, &
                      bottom_f08 => MPI_BOTTOM
   implicit none
   private

   public :: SHUNT_Alltoall, SHUNT_Alltoallv, SHUNT_Alltoallw
   public :: SHUNT_Alltoall_init, SHUNT_Alltoallv_init, SHUNT_Alltoallw_init
   public :: SHUNT_Start, SHUNT_Wait, SHUNT_Test, SHUNT_Request_free

   ! An exchange that is planned once; to be freed by SHUNT_Request_free.
   type, public, bind(C) :: SHUNT_Request
      private
      type(c_ptr) :: address = c_null_ptr
   end type

   interface SHUNT_Alltoall
      module procedure alltoall_integer, alltoall_f08
   end interface

   interface SHUNT_Alltoallv
      module procedure alltoallv_integer, alltoallv_f08
   end interface

   interface SHUNT_Alltoallw
      module procedure alltoallw_integer, alltoallw_f08
   end interface

   interface SHUNT_Alltoall_init
      module procedure alltoall_init_integer, alltoall_init_f08
   end interface

   interface SHUNT_Alltoallv_init
      module procedure alltoallv_init_integer, alltoallv_init_f08
   end interface

   interface SHUNT_Alltoallw_init
      module procedure alltoallw_init_integer, alltoallw_init_f08
   end interface

   interface
      function c_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                          in_place, bottom) &
         bind(C, name="shunt_fortran_alltoall") result(code)
         import :: c_int
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm
         integer(c_int) :: in_place, bottom
         integer(c_int) :: code
      end function

      function c_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
                           recvtype, comm, in_place, bottom) &
         bind(C, name="shunt_fortran_alltoallv") result(code)
         import :: c_int
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
         integer(c_int), value :: sendtype, recvtype, comm
         integer(c_int) :: in_place, bottom
         integer(c_int) :: code
      end function

      function c_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                           rdispls, recvtypes, comm, in_place, bottom) &
         bind(C, name="shunt_fortran_alltoallw") result(code)
         import :: c_int
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
         integer(c_int), dimension(*), intent(in) :: sendtypes, recvtypes
         integer(c_int), value :: comm
         integer(c_int) :: in_place, bottom
         integer(c_int) :: code
      end function

      function c_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                               in_place, bottom, request) &
         bind(C, name="shunt_fortran_alltoall_init") result(code)
         import :: c_int, SHUNT_Request
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm
         integer(c_int) :: in_place, bottom
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function

      function c_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
                                rdispls, recvtype, comm, in_place, bottom, request) &
         bind(C, name="shunt_fortran_alltoallv_init") result(code)
         import :: c_int, SHUNT_Request
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
         integer(c_int), value :: sendtype, recvtype, comm
         integer(c_int) :: in_place, bottom
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function

      function c_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
                                rdispls, recvtypes, comm, in_place, bottom, request) &
         bind(C, name="shunt_fortran_alltoallw_init") result(code)
         import :: c_int, SHUNT_Request
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: sendcounts, sdispls, recvcounts, rdispls
         integer(c_int), dimension(*), intent(in) :: sendtypes, recvtypes
         integer(c_int), value :: comm
         integer(c_int) :: in_place, bottom
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function

      function c_start(request) bind(C, name="SHUNT_Start") result(code)
         import :: c_int, SHUNT_Request
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function

      function c_wait(request) bind(C, name="shunt_fortran_wait") result(code)
         import :: c_int, SHUNT_Request
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function

      function c_test(request, flag) bind(C, name="shunt_fortran_test") result(code)
         import :: c_int, SHUNT_Request
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int), intent(out) :: flag
         integer(c_int) :: code
      end function

      function c_free(request) bind(C, name="SHUNT_Request_free") result(code)
         import :: c_int, SHUNT_Request
         type(SHUNT_Request), intent(inout) :: request
         integer(c_int) :: code
      end function
   end interface

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

   ! Of an invalid communicator: none, since the error is found afterwards.
   subroutine ranks_of(comm, ranks)
      use mpi_f08, only: MPI_Comm_size, MPI_COMM_NULL, operator(==)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out) :: ranks
      ranks = 0
      if (.not. comm == MPI_COMM_NULL) call MPI_Comm_size(comm, ranks)
   end subroutine

   ! Begins the exchange of what is in the send buffer now.
   subroutine SHUNT_Start(request, ierror)
      type(SHUNT_Request), intent(inout) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_start(request)
      if (present(ierror)) ierror = code
   end subroutine

   ! Returns when the exchange is over.
   subroutine SHUNT_Wait(request, ierror)
      type(SHUNT_Request), intent(inout) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_wait(request)
      if (present(ierror)) ierror = code
   end subroutine

   ! Frees the request, which is not under way.
   subroutine SHUNT_Request_free(request, ierror)
      type(SHUNT_Request), intent(inout) :: request
      integer, intent(out), optional :: ierror
      integer(c_int) :: code

      code = c_free(request)
      if (present(ierror)) ierror = code
   end subroutine

   ! Whether the exchange is over.
   subroutine SHUNT_Test(request, flag, ierror)
      type(SHUNT_Request), intent(inout) :: request
      logical, intent(out) :: flag
      integer, intent(out), optional :: ierror
      integer(c_int) :: code, over

      code = c_test(request, over)
      flag = over /= 0
      if (present(ierror)) ierror = code
   end subroutine

end module
