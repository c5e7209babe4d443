! The functions of Shunt that Fortran calls, as C has them: src/bindings/fortran/entries.cpp, and
! those of include/shunt/shunt.h that fit as they are.
module shunt_entries
   use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_null_ptr
   implicit none
   public

   ! An exchange that is planned once; to be freed by SHUNT_Request_free.
   type, public, bind(C) :: SHUNT_Request
      private
      type(c_ptr) :: address = c_null_ptr
   end type

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

      function c_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                           in_place, bottom) &
         bind(C, name="shunt_fortran_allgather") result(code)
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

      function c_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
                            recvtype, comm, in_place, bottom) &
         bind(C, name="shunt_fortran_allgatherv") result(code)
         import :: c_int
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: recvcounts, displs
         integer(c_int), value :: sendcount, sendtype, recvtype, comm
         integer(c_int) :: in_place, bottom
         integer(c_int) :: code
      end function

      function c_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                                in_place, bottom, request) &
         bind(C, name="shunt_fortran_allgather_init") result(code)
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

      function c_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                                 displs, recvtype, comm, in_place, bottom, request) &
         bind(C, name="shunt_fortran_allgatherv_init") result(code)
         import :: c_int, SHUNT_Request
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
         !DIR$ IGNORE_TKR sendbuf
         !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
         !DIR$ IGNORE_TKR recvbuf
         type(*), dimension(*) :: sendbuf, recvbuf
         integer(c_int), dimension(*), intent(in) :: recvcounts, displs
         integer(c_int), value :: sendcount, sendtype, recvtype, comm
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

end module
