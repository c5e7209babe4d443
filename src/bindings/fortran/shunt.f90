! Shunt for Fortran: the all-to-all and all-gather collectives of MPI under the names SHUNT_...,
! with the arguments of MPI's own functions, and exchanges that are planned once and made many
! times.
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
   use, intrinsic :: iso_c_binding, only: c_int
   use shunt_entries
   use shunt_integer
   use shunt_f08
   implicit none
   private

   public :: SHUNT_Request
   public :: SHUNT_Alltoall, SHUNT_Alltoallv, SHUNT_Alltoallw
   public :: SHUNT_Alltoall_init, SHUNT_Alltoallv_init, SHUNT_Alltoallw_init
   public :: SHUNT_Allgather, SHUNT_Allgatherv, SHUNT_Allgather_init, SHUNT_Allgatherv_init
   public :: SHUNT_Start, SHUNT_Wait, SHUNT_Test, SHUNT_Request_free

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

   interface SHUNT_Allgather
      module procedure allgather_integer, allgather_f08
   end interface

   interface SHUNT_Allgatherv
      module procedure allgatherv_integer, allgatherv_f08
   end interface

   interface SHUNT_Allgather_init
      module procedure allgather_init_integer, allgather_init_f08
   end interface

   interface SHUNT_Allgatherv_init
      module procedure allgatherv_init_integer, allgatherv_init_f08
   end interface

contains

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
