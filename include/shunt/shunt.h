/*
 * The C interface: MPI's collectives that exchange, gather and scatter blocks, by Shunt's
 * algorithms, and redistribution of arrays.
 *
 * The functions of shunt/collectives.h (SHUNT_Alltoall, SHUNT_Allgatherv, SHUNT_Gatherv and others)
 * take the arguments of the MPI functions of the same names, in the same order and with the same
 * meaning; their forms that end in _c take counts beyond int, as in MPI 4, and those with _init in
 * their names make persistent requests, as in MPI 4. All of them work on any MPI 3.1.
 *
 * Communication. All functions are collective over the communicator but those that say "local" and
 * those on requests. The communicator is an intracommunicator, and all ranks call the functions in
 * the same order. The first call on a communicator makes another one of the same ranks, over which
 * all messages go, and which is freed with it. No attribute, info, name or error handler of the
 * caller's communicator is on that one. A call may return on one rank before others have begun it,
 * as with MPI. docs/tuning.md, "What a call costs", lists what is communicated in addition to the
 * data.
 *
 * Buffers. The caller owns all arrays; counts, displacements and types may be changed or freed
 * after any call. Counts are in elements. Displacements are in elements of the type's extent, in
 * Alltoallw in bytes. Arrays of counts, displacements and types have one entry per rank. Any
 * committed datatype may be used to send and to receive, and MPI_BOTTOM as a buffer; the ranks'
 * types may differ where their signatures agree. Bytes that no received element covers stay as they
 * are. Send and receive blocks must not overlap. Where a count is zero, the buffer, displacement
 * and type of that block are ignored.
 *
 * In place. With MPI_IN_PLACE as send buffer on all ranks, each block of the receive buffer is sent
 * and then replaced by the one that comes; send counts, displacements and types are ignored. In
 * addition to the buffer this takes at most 10 MiB, however long the blocks are; what the chosen
 * algorithm holds of other ranks' blocks of 4 MiB in all; and two elements of a datatype of more
 * than 4096 pieces. Allgather and Allgatherv take a rank's own block from where it belongs, and
 * need no other memory for it; Gatherv and Scatterv leave the root's own block where it is.
 *
 * Errors. Functions return MPI_SUCCESS or an MPI error class, after calling the error handler of
 * the communicator (of MPI_COMM_WORLD if there is none). SHUNT_Last_error tells the error in one
 * sentence; if the handler is MPI_ERRORS_ARE_FATAL the sentence is written to stderr before the
 * handler ends the program. What a rank can know of its own arguments is checked before any
 * communication:
 *
 *   MPI_ERR_COMM      the communicator is null or an intercommunicator, MPI has none left for
 *                     Shunt, or is not running
 *   MPI_ERR_COUNT     a count is negative, or counts and displacements exceed 64 bits
 *   MPI_ERR_TYPE      a datatype is MPI_DATATYPE_NULL or not committed
 *   MPI_ERR_BUFFER    a buffer is null and has elements, or is memory of a device; MPI_IN_PLACE as
 *                     receive buffer; send and receive blocks overlap (found out for contiguous
 *                     pieces)
 *   MPI_ERR_ARG       an array is null; an environment variable cannot be used; the algorithm does
 *                     not carry a block
 *   MPI_ERR_RANK      the grid of an array names a rank twice, or one outside the communicator
 *   MPI_ERR_ROOT      the root is no rank of the communicator
 *   MPI_ERR_TRUNCATE  sender and receiver do not agree on the length of a block
 *   MPI_ERR_REQUEST   a request is null, or under way where it must not be
 *   MPI_ERR_FILE      the file that SHUNT_NODES names cannot be used
 *   MPI_ERR_NO_MEM    memory is exhausted
 *   MPI_ERR_OTHER     MPI reports a failure, or other ranks' arguments are wrong
 *   MPI_ERR_INTERN    Shunt itself is at fault
 *
 * Once MPI_Finalize has given back what Shunt keeps, calls fail with MPI_ERR_COMM. The handler may
 * leave by longjmp, by an exception of C++, or with its thread: it is called when nothing of the
 * call is under way on this rank or locked. A thread that is cancelled ends its call first.
 *
 * A rank whose arguments are wrong takes part in a collective all the same, without blocks, and
 * reports the error at its end, so that later calls match. As with MPI, ranks that expect data of
 * it may wait forever. With SHUNT_CHECK=1 they do not: all ranks get an error, MPI_ERR_OTHER if
 * only others are concerned, and the next call works. Functions with _init in their names and
 * SHUNT_Alloc_mem behave so without SHUNT_CHECK, too. No check can find out that a communicator is
 * MPI_COMM_NULL, or another one, on some ranks only.
 *
 * Threads. Under MPI_THREAD_MULTIPLE several threads may call functions at a time if each does so
 * on another communicator. Calls on one communicator and on its requests are made by one thread at
 * a time; nothing is locked. At lower levels of MPI's thread support one thread at a time calls
 * functions, on whichever communicators. SHUNT_Free_mem and SHUNT_Last_error may be called by any
 * thread at any time.
 *
 * Environment, read by the first call; the same on all ranks. Where they differ in more than
 * SHUNT_NODES, SHUNT_TORUS, SHUNT_WISDOM, SHUNT_DIRECTORY and SHUNT_PROFILE, exchanges and
 * redistributions fail with MPI_ERR_ARG on all ranks of a communicator:
 *
 *   SHUNT_ALGORITHM  an algorithm's name or alias as `shunt algorithms` lists them; "native", the
 *                    MPI library's own collective, within the limits of its ints; or "auto" (unless
 *                    set): for persistent requests what is fastest when tried, for other calls what
 *                    has been fastest in the calls so far. Options may follow, as in the names that
 *                    "auto" reports, "linear shared=once" or "four-stage mode=single grain=4096":
 *                    mode, grain, packet, messages (of the window), and shared: whether messages
 *                    inside a node go through shared memory (yes), are copied once where they are
 *                    long (once), or go through MPI (no). Redistributions take the options alone.
 *   SHUNT_ALLGATHER  the algorithm of Allgather and Allgatherv: a name or alias that `shunt
 *                    algorithms --allgather` lists, "native", or "auto" (unless set): for
 *                    persistent requests what is fastest when tried, for other calls what has been
 *                    fastest so far.
 *   SHUNT_MODE       "blocking", "single" or "dual" (unless set). "blocking" makes SHUNT_Start wait
 *                    for the whole exchange, and so for the other ranks.
 *   SHUNT_PACKET     bytes of the packets in which longer messages go through MPI (unless set they
 *                    are not cut), where both ends know their lengths: in persistent requests, and
 *                    in algorithms of one stage.
 *   SHUNT_EFFORT     "estimate", "measure" (unless set) or "patient": how much persistent requests
 *                    of "auto" try. What they find is remembered, and not tried again. With
 *                    "estimate" other calls try nothing either.
 *   SHUNT_WISDOM     the file that remembers (unless set wisdom.json in SHUNT_DIRECTORY, or in
 *                    `shunt` in XDG_CONFIG_HOME or ~/.config), or "none". That of rank 0 counts.
 *   SHUNT_LEARN      0: nothing is tried or remembered; what is expected to be fastest is taken.
 *   SHUNT_MEMORY     the most bytes of buffers, in addition to the caller's memory, that an
 *                    exchange uses or keeps on a rank; K, M or G behind the number stand for 2^10,
 *                    2^20 and 2^30 bytes. An exchange that needs more is made in parts; MPI_ERR_ARG
 *                    where that does not help. docs/architecture.md, Memory, lists what counts.
 *   SHUNT_CHECK      1: before data is moved the ranks tell each other the lengths of their blocks
 *                    (MPI_Ialltoall of 16 bytes and a reduction), whether their arguments are
 *                    right, and whether their calls so far match. If anything is wrong on any rank,
 *                    all return an error, and the ranks concerned say what. Persistent requests are
 *                    checked when they are made.
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
 * One dimension of an array, distributed block-cyclically over one dimension of a grid of ranks:
 * its indices are cut into blocks, the last one maybe shorter, which go round the grid's
 * coordinates, beginning with `first`. BLOCK of High Performance Fortran has blocks of extent /
 * places, rounded up; * has one place.
 */
typedef struct SHUNT_Dimension {
  MPI_Count extent; /**< number of indices, 0 to 2^61 */
  MPI_Count block;  /**< indices of a whole block, at least 1; times `places` at most 2^61 */
  int places;       /**< coordinates of the grid in this dimension, at least 1 */
  int first;        /**< the coordinate that has the first block, 0 to places - 1 */
} SHUNT_Dimension;

/**
 * How an array is distributed over a grid of ranks, which all ranks describe identically; how this
 * rank keeps its part in memory; and where the section begins that is to be moved. The caller owns
 * all arrays, which may be changed or freed after the call.
 */
typedef struct SHUNT_Array {
  int dimensions;                   /**< how many the array has, at least 1 */
  const SHUNT_Dimension* dimension; /**< one entry per dimension */
  const int* ranks; /**< the rank at each place of the grid, places in row-major order of their
                         coordinates, each rank at most once; NULL: rank k is at place k */
  int order;        /**< MPI_ORDER_C: the last dimension is contiguous in memory;
                         MPI_ORDER_FORTRAN: the first */
  const MPI_Count* strides; /**< elements from one local index to the next, by dimension, at least
                                 1; NULL: the part has no gaps */
  const MPI_Count* begin;   /**< the first index of the section, by dimension; NULL: 0 */
} SHUNT_Array;

/**
 * Redistributes a section of an array: its elements go from where the layout `from` has them to
 * where `to` has them, other elements of `to` stay as they are. `sendbuf` and `recvbuf` are this
 * rank's parts of the arrays, from its local index 0 on; a rank that has nothing of an array may
 * pass NULL. `extents` are the indices of the section, by dimension of `from`; NULL: all of that
 * array. Dimension d of `from` becomes dimension axes[d] of `to`: {1, 0} transposes a matrix; NULL:
 * dimensions keep their order. Layouts, extents and axes are equal on all ranks.
 *
 * Takes no memory but packets (SHUNT_PACKET; unless set of 256 KiB, up to 64 each way) and memory
 * shared with the node.
 *
 * Returns MPI_ERR_ARG, MPI_ERR_COUNT or MPI_ERR_RANK where a layout or the section breaks a rule,
 * MPI_ERR_TYPE where elements of `type` are not consecutive bytes, and MPI_ERR_BUFFER where a
 * buffer is null and has elements, or elements that this rank sends overlap those that it receives
 * (every element is checked). A rank that returns one of these sends nothing, and later calls
 * match: ranks of its node that wait for its elements return MPI_ERR_TRUNCATE, ranks of other nodes
 * wait forever, unless SHUNT_CHECK is 1.
 */
int SHUNT_Redistribute(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                       const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                       MPI_Datatype type, MPI_Comm comm);

/**
 * Allocates memory that the other processes of this process's node can read: sets *(void**)baseptr
 * to `size` bytes, all zero, that begin at a page. Redistributions, on this or another
 * communicator, copy what they send from there once, where from other memory they copy it twice.
 * Collective over `comm`; every process chooses its own size. To be freed by SHUNT_Free_mem.
 *
 * Returns MPI_ERR_ARG for a negative size and a null pointer, and then MPI_ERR_OTHER on all other
 * ranks; MPI_ERR_BUFFER where the system has no such memory.
 */
int SHUNT_Alloc_mem(MPI_Aint size, MPI_Comm comm, void* baseptr);

/**
 * Frees memory of SHUNT_Alloc_mem, which no exchange may use any more; also after MPI_Finalize.
 * Local. Returns MPI_ERR_ARG for any other address, NULL included.
 */
int SHUNT_Free_mem(void* base);

/** No request. */
#define SHUNT_REQUEST_NULL ((SHUNT_Request)0)

/**
 * Makes a request for the redistribution that SHUNT_Redistribute makes. What is said of
 * other functions with _init in their names holds here. Collective, with one reduction; nothing
 * else is sent before the request is started.
 */
int SHUNT_Redistribute_init(const void* sendbuf, const SHUNT_Array* from, void* recvbuf,
                            const SHUNT_Array* to, const MPI_Count extents[], const int axes[],
                            MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                            SHUNT_Request* request);

/**
 * Begins to exchange what is in the send buffer now. All ranks start the requests of a communicator
 * in the same order; several may be under way at a time. Does not wait for other ranks, unless
 * SHUNT_MODE is "blocking". Until the exchange is over the send buffer must not be written to, and
 * the receive buffer not be touched.
 *
 * Returns MPI_ERR_REQUEST for SHUNT_REQUEST_NULL, for a request that is under way and for one that
 * has failed before, and MPI_ERR_ARG where `request` is null.
 */
int SHUNT_Start(SHUNT_Request* request);

/**
 * Waits until this rank's receive buffer is complete and its send buffer is free; returns at once
 * for a request that was not started and for SHUNT_REQUEST_NULL. Makes progress with all requests
 * under way, so they may be waited for in any order. The request can be started again. Sets
 * `status`, unless it is MPI_STATUS_IGNORE, to what MPI calls the empty status.
 *
 * Returns MPI_ERR_TRUNCATE where the lengths that ranks gave turn out not to agree, MPI_ERR_OTHER
 * where MPI reports a failure, and MPI_ERR_ARG where `request` is null. May also return the error
 * of another request that it makes progress with. A request that has failed can only be freed.
 */
int SHUNT_Wait(SHUNT_Request* request, MPI_Status* status);

/**
 * Makes progress as SHUNT_Wait does, without waiting. Sets *flag to 1 if the exchange is over, and
 * then `status` as SHUNT_Wait does; else to 0. *flag is 1 for a request that was not started and
 * for SHUNT_REQUEST_NULL. Returns the errors of SHUNT_Wait, and MPI_ERR_ARG where `flag` is null.
 */
int SHUNT_Test(SHUNT_Request* request, int* flag, MPI_Status* status);

/**
 * Frees the request and sets it to SHUNT_REQUEST_NULL. Local. Returns MPI_ERR_REQUEST for
 * SHUNT_REQUEST_NULL and for a request that is under way, which then stays; MPI_ERR_ARG where
 * `request` is null.
 */
int SHUNT_Request_free(SHUNT_Request* request);

/**
 * Returns the sentence of the last error that a function of this interface returned to this thread:
 * the function, the argument, its value and the rule. Empty if there was none. Valid until the next
 * error of the thread; not to be freed. Local.
 */
const char* SHUNT_Last_error(void);

#ifdef __cplusplus
}
#endif

#endif
