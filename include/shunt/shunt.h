/*
 * The C interface: MPI's collectives that exchange, gather and scatter blocks, by Shunt's
 * algorithms, and redistributions of arrays.
 *
 * The functions of shunt/collectives.h (SHUNT_Alltoall, SHUNT_Allgatherv, SHUNT_Gatherv ...) take the
 * arguments of the MPI functions of the same names, in the same order and with the same meaning;
 * their forms that end in _c take counts beyond int, as in MPI 4, and those with _init in their
 * names make persistent requests, as in MPI 4. All of them work on any MPI 3.1.
 *
 * Communication. All functions but those on requests are collective over the communicator, which is
 * an intracommunicator; all ranks call them in the same order. The first call on a communicator
 * makes another one of the same ranks, over which all messages go, and which is freed with it. No
 * attribute, info, name or error handler of the caller's communicator is on that one. A call may
 * return on one rank before others have begun it, as with MPI.
 *
 * Buffers. The caller keeps all arrays; counts, displacements and types may be changed or freed
 * after any call. Counts are in elements. Displacements are in elements of the type's extent, but
 * for Alltoallw in bytes. Any committed datatype may be used on either side, MPI_BOTTOM included;
 * the ranks' types may differ where their signatures agree. Bytes that no element of the receive
 * side covers stay as they are. Send and receive blocks must not overlap. A count of zero makes
 * everything else that is said of a block meaningless.
 *
 * In place. With MPI_IN_PLACE as send buffer on all ranks, each block of the receive buffer is sent
 * and then replaced by that which comes; the send counts, displacements and types are not looked
 * at. Beside the buffer that takes at most 10 MiB, however long the blocks are, and what the chosen
 * algorithm holds of other ranks' blocks of 4 MiB in all; two elements more for a datatype of more
 * than 4096 pieces. In place, Allgather and Allgatherv take a rank's own block from where it is, and
 * need no other memory for it.
 *
 * Errors. Functions return MPI_SUCCESS or an MPI error class, after calling the error handler of
 * the communicator (of MPI_COMM_WORLD if there is none). SHUNT_Last_error tells the error in one
 * sentence; if the handler is MPI_ERRORS_ARE_FATAL the sentence is written to stderr before the
 * handler ends the program. What a rank can know of its own arguments is checked before any
 * communication:
 *
 *   MPI_ERR_ROOT      the root is no rank of the communicator
 *   MPI_ERR_COMM      the communicator is null, or an intercommunicator
 *   MPI_ERR_COUNT     a count is negative, or counts and displacements exceed 64 bits
 *   MPI_ERR_TYPE      a datatype is MPI_DATATYPE_NULL or not committed
 *   MPI_ERR_BUFFER    a buffer is null and has elements, or is memory of a device; MPI_IN_PLACE as
 *                     receive buffer; send and receive blocks overlap (found out for contiguous
 *                     pieces)
 *   MPI_ERR_ARG       an array is null; an environment variable cannot be used
 *   MPI_ERR_TRUNCATE  sender and receiver do not agree on the length of a block
 *   MPI_ERR_REQUEST   a request is null, or under way where it must not be
 *   MPI_ERR_NO_MEM    memory is exhausted
 *
 * Once MPI_Finalize has given back what Shunt keeps, calls fail with MPI_ERR_COMM. The handler may
 * leave by longjmp, by an exception of C++, or with its thread: it is called when nothing of the
 * call is under way on this rank or locked. A thread that is cancelled ends its call first.
 *
 * A rank whose arguments are wrong takes part in a collective all the same, without blocks, and
 * reports the error at its end; so later calls match. As with MPI, ranks that expect data of it may
 * be left waiting. With SHUNT_CHECK=1 they are not: all ranks get an error, MPI_ERR_OTHER if only
 * others are concerned, and the next call works. That is so without it of functions with _init in
 * their names and of SHUNT_Alloc_mem, too. Nobody can find out that a communicator is
 * MPI_COMM_NULL, or another one, on some ranks only.
 *
 * Environment, read by the first call; the same on all ranks:
 *
 *   SHUNT_ALGORITHM  an algorithm's name as `shunt algorithms` lists them; "native", the MPI
 *                    library's own collective, within the limits of its ints; or "auto" (unless
 *                    set): of persistent requests, what is fastest when tried; else what has been
 *                    in the calls so far. Options may follow, as "auto" names what it tried, "a1
 *                    shared=once" or "a4 mode=single grain=4096": mode, grain, packet, messages
 *                    (of the window), and shared: what goes through memory that ranks share (yes),
 *                    is copied once where it is long (once), or goes through MPI (no).
 *   SHUNT_BROADCAST  the same for Allgather and Allgatherv: a name that `shunt algorithms
 *                    --broadcast` lists, "native", or "auto" (unless set): of persistent requests,
 *                    what is fastest when tried; else what has been in the calls so far.
 *   SHUNT_MODE       "blocking", "single" or "dual" (unless set). "blocking" makes SHUNT_Start wait
 *                    for the whole exchange, and so for the other ranks.
 *   SHUNT_PACKET     bytes of the packets in which longer messages go through MPI (unless set they
 *                    are not cut), where both ends know their lengths: of persistent requests, and
 *                    of algorithms of one stage.
 *   SHUNT_EFFORT     "estimate", "measure" (unless set) or "patient": how much persistent requests
 *                    of "auto" try. What they find is remembered, and not tried again. With
 *                    "estimate" other calls try nothing either.
 *   SHUNT_WISDOM     the file that remembers (unless set wisdom.json in SHUNT_DIRECTORY, or in
 *                    `shunt` in XDG_CONFIG_HOME or ~/.config), or "none". That of rank 0 counts.
 *   SHUNT_LEARN      0: nothing is tried or remembered; what is expected to be fastest is taken.
 *   SHUNT_MEMORY     the most bytes of buffers, beside the caller's memory, that an exchange uses
 *                    or keeps on a rank; K, M or G behind it stand for 2^10, 2^20 and 2^30 of them.
 *                    What needs more is done in parts; MPI_ERR_ARG where that does not help. What
 *                    counts is listed in docs/architecture.md, Memory.
 *   SHUNT_CHECK      1: before data is moved the ranks tell each other the lengths of their blocks
 *                    (MPI_Ialltoall of 16 bytes and a reduction) and whether their arguments are
 *                    right, and their calls so far match. If anything is wrong on any rank all
 *                    return an error, and the ranks concerned say what. Persistent requests do so
 *                    when they are made.
 *   SHUNT_NODES      which ranks form a node, where it is not as the machine says: blocked:K,
 *                    round-robin:K, sizes as 4,4,2, or a file with the node of each rank.
 *   SHUNT_TORUS      which torus the ranks are, as 16x16, for the algorithms of tori; unless set
 *                    that of a Cartesian communicator, or as square as the ranks allow.
 *   SHUNT_PROFILE    what the machine costs, a file of `shunt calibrate` (unless set the user's, or
 *                    that of a typical machine). That of rank 0 counts.
 *   SHUNT_DIRECTORY  where files are kept from one program to the next (unless set `shunt` in
 *                    XDG_CONFIG_HOME or ~/.config).
 *   SHUNT_VERBOSE    1: standard error says what "auto" settles on, and what could not be done and
 *                    is no error, as wisdom that cannot be kept.
 *   SHUNT_TRACE      a folder: MPI_Finalize leaves a file for each communicator there, with what
 *                    was moved and how long it took (docs/interposer.md).
 */
#ifndef SHUNT_SHUNT_H
#define SHUNT_SHUNT_H

#include <mpi.h>

#include "shunt/collectives.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A dimension of an array: `extent` indices in blocks of `block`, the last one maybe shorter, which
 * go in turn to `places` places, the first of them to place `first`. BLOCK of High Performance
 * Fortran has blocks of extent / places, rounded up; * has one place.
 */
typedef struct SHUNT_Dimension {
  MPI_Count extent;
  MPI_Count block;
  int places;
  int first;
} SHUNT_Dimension;

/**
 * How an array is dealt out over a grid of ranks, alike on all ranks; how this rank keeps its part;
 * and which part of the array is meant.
 */
typedef struct SHUNT_Array {
  int dimensions;
  const SHUNT_Dimension* dimension;
  const int* ranks; /**< the rank at each place of the grid, places in row-major order; NULL:
                         rank k is at place k */
  int order;        /**< MPI_ORDER_C: the last dimension is the fastest in memory;
                         MPI_ORDER_FORTRAN: the first */
  const MPI_Count* strides; /**< elements from one local index to the next, by dimension; NULL: the
                                 part has no gaps */
  const MPI_Count* begin;   /**< where the part begins that is meant, by dimension; NULL: at 0 */
} SHUNT_Array;

/**
 * An array, or a part of it, goes where another layout has it. `extents` are those of the part, by
 * dimension of `from`; NULL: all of that array. Dimension d of `from` becomes dimension axes[d] of
 * `to`: {1, 0} transposes a matrix; NULL: they stay the same. Elements of `type` are consecutive
 * bytes. What a rank sends does not lie where it receives something (else MPI_ERR_BUFFER); a rank
 * that has nothing of an array may pass NULL. MPI_ERR_ARG, MPI_ERR_COUNT and MPI_ERR_RANK where a
 * layout breaks a rule.
 */
int SHUNT_Redistribute(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                       const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                       MPI_Datatype type, MPI_Comm comm);

/**
 * Sets *(void**)baseptr to `size` bytes of the caller's, all zero, that begin at a page and that
 * the other processes of its node can read: redistributions, on this or another communicator, copy
 * what they send from there once, and not by way of a buffer between. Collective over `comm`; every
 * process says how many bytes it wants. MPI_ERR_ARG for a negative size and a null pointer,
 * MPI_ERR_BUFFER where the system gives no such memory.
 */
int SHUNT_Alloc_mem(MPI_Aint size, MPI_Comm comm, void* baseptr);

/**
 * Frees what SHUNT_Alloc_mem gave, which no exchange uses any more; also after MPI_Finalize. Local.
 * MPI_ERR_ARG for anything else.
 */
int SHUNT_Free_mem(void* base);

#define SHUNT_REQUEST_NULL ((SHUNT_Request)0)

/**
 * Makes a request for the redistribution that SHUNT_Redistribute makes, as functions with _init in
 * their names do. Nothing is sent before it is started.
 */
int SHUNT_Redistribute_init(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                            const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                            MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                            SHUNT_Request* request);

/**
 * Begins the exchange of what is in the send buffer now. All ranks start the requests of a
 * communicator in the same order; several may be under way at once. Until the exchange is over the
 * send buffer must not be written to, and the receive buffer not be touched. MPI_ERR_REQUEST for
 * SHUNT_REQUEST_NULL, for a request that is under way and for one that has failed before.
 */
int SHUNT_Start(SHUNT_Request* request);

/**
 * Returns when this rank's receive buffer is complete and its send buffer is free; at once for a
 * request that was not started and for SHUNT_REQUEST_NULL. Whoever waits helps all requests under
 * way along, so they may be waited for in any order. The request can be started again. `status` may
 * be MPI_STATUS_IGNORE; it is set to what MPI calls the empty status.
 */
int SHUNT_Wait(SHUNT_Request* request, MPI_Status* status);

/** As SHUNT_Wait, but returns at once: *flag is 1 if the exchange is over, else 0. */
int SHUNT_Test(SHUNT_Request* request, int* flag, MPI_Status* status);

/**
 * Frees the request and sets it to SHUNT_REQUEST_NULL. Local. MPI_ERR_REQUEST, and the request
 * stays, if it is under way.
 */
int SHUNT_Request_free(SHUNT_Request* request);

/**
 * The sentence of the last error that a function of this interface returned to this thread: the
 * function, the argument, its value and the rule. Empty if there was none. Valid until the next
 * error of the thread; not to be freed.
 */
const char* SHUNT_Last_error(void);

#ifdef __cplusplus
}
#endif

#endif
