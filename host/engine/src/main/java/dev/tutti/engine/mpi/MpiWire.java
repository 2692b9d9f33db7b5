package dev.tutti.engine.mpi;

import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.Lock;

/**
 * The messages of a plan between the processes of an {@link MpiWorld}. A test whether one message
 * is done also makes progress with all others. Allocates nothing after its creation.
 */
public final class MpiWire implements Wire {

  /*
   * MPI keeps the order of messages between two processes with the same communicator and tag, and
   * so does a plan. So a tag only separates the messages of one wire from those of other wires.
   */

  /** The number of tests in {@link #giveUp}, which take some 100 ms. */
  private static final int LAST_LOOKS = 200_000;

  /** The expected length of a sent message, which is not checked. */
  private static final long SENT = -1;

  /** More than the size of an {@code MPI_Status} of any family. */
  private static final long STATUS_BYTES = 64;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private final MpiWorld world;
  private final MpiLibrary library;
  private final Lock lock;
  private final long handle;
  private final int tag;
  private final int[] members;
  private final long bytes;
  private final MethodHandle isend;
  private final MethodHandle irecv;
  private final MethodHandle test;
  private final MethodHandle count;
  private final MethodHandle cancel;

  /** The request of each message. */
  private final MemorySegment requests;

  private final MemorySegment number;
  private final MemorySegment status;

  /** The expected length of each received message in bytes. */
  private final long[] expected;

  /** Which messages were begun and not found done. */
  private final boolean[] isOpen;

  MpiWire(MpiWorld world, long communicator, int tag, int[] members) {
    this.world = world;
    this.handle = communicator;
    this.tag = tag;
    this.members = members.clone();
    this.library = world.library();
    this.lock = world.lock();
    this.bytes = library.abi().bytes();
    this.isend = library.function("MPI_Isend", "pihiihp");
    this.irecv = library.function("MPI_Irecv", "pihiihp");
    this.test = library.function("MPI_Test", "ppp");
    this.count = library.function("MPI_Get_count", "php");
    this.cancel = library.function("MPI_Cancel", "p");
    Arena arena = Arena.ofAuto();
    this.requests = arena.allocate((long) MOST_MESSAGES * Long.BYTES, Long.BYTES);
    this.number = arena.allocate(INT);
    this.status = arena.allocate(STATUS_BYTES, Long.BYTES);
    this.expected = new long[MOST_MESSAGES];
    this.isOpen = new boolean[MOST_MESSAGES];
  }

  @Override
  public void send(int message, int process, MemorySegment memory, long offset, long length) {
    expected[message] = SENT;
    begin(isend, "MPI_Isend", message, process, memory, offset, length);
  }

  @Override
  public void receive(int message, int process, MemorySegment memory, long offset, long length) {
    expected[message] = length;
    begin(irecv, "MPI_Irecv", message, process, memory, offset, length);
  }

  private void begin(
      MethodHandle call,
      String name,
      int message,
      int process,
      MemorySegment memory,
      long offset,
      long length) {
    long request = request(message);
    long address = memory.address() + offset;
    int member = members[process];
    lock.lock();
    try {
      check(
          name,
          (int)
              call.invokeExact(
                  address, Math.toIntExact(length), bytes, member, tag, handle, request));
      isOpen[message] = true;
    } catch (Throwable t) {
      throw MpiLibrary.failed(name, t);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDone(int message) {
    lock.lock();
    try {
      check(
          "MPI_Test", (int) test.invokeExact(request(message), number.address(), status.address()));
      if (number.get(INT, 0) == 0) {
        return false;
      }
      isOpen[message] = false;
      if (expected[message] != SENT) {
        requireWhole(message);
      }
      return true;
    } catch (Throwable t) {
      throw MpiLibrary.failed("MPI_Test", t);
    } finally {
      lock.unlock();
    }
  }

  private void requireWhole(int message) throws Throwable {
    check("MPI_Get_count", (int) count.invokeExact(status.address(), bytes, number.address()));
    int received = number.get(INT, 0);
    if (received != expected[message]) {
      world.fail();
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "a message brought %d bytes where %d were expected: the processes run different plans",
          received,
          expected[message]);
    }
  }

  private long request(int message) {
    return requests.address() + (long) message * Long.BYTES;
  }

  private void check(String function, int error) {
    if (error != 0) {
      world.fail();
      library.check(function, error);
    }
  }

  /**
   * Cancels the receipts that are not complete. A message that is arriving, and one whose receiver
   * has not begun, may still use its memory afterwards; in this case, the processes end without
   * {@code MPI_Finalize}.
   */
  @Override
  public void giveUp() {
    lock.lock();
    try {
      for (int message = 0; message < MOST_MESSAGES; message++) {
        if (isOpen[message] && expected[message] != SENT) {
          check("MPI_Cancel", (int) cancel.invokeExact(request(message)));
        }
      }
      boolean isAnyOpen = true;
      for (int look = 0; look < LAST_LOOKS && isAnyOpen; look++) {
        isAnyOpen = false;
        for (int message = 0; message < MOST_MESSAGES; message++) {
          isAnyOpen |= isOpen[message] && !hasEnded(message);
        }
      }
      if (isAnyOpen) {
        world.fail();
      }
    } catch (Throwable t) {
      // The operation has failed already, and its error is more useful than that of MPI.
      world.fail();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasEnded(int message) throws Throwable {
    check("MPI_Test", (int) test.invokeExact(request(message), number.address(), status.address()));
    isOpen[message] = number.get(INT, 0) == 0;
    return !isOpen[message];
  }
}
