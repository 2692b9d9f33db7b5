package dev.tutti.engine.mpi;

import dev.tutti.engine.message.MessageWorld;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a launcher like {@code mpirun} has started together. This JVM is one of them;
 * without a launcher it is alone. A JVM joins them once. Thread-safe: a lock serialises calls of
 * the library.
 */
public final class MpiWorld implements MessageWorld {

  /** The thread level {@code MPI_THREAD_SERIALIZED}. */
  private static final int SERIALIZED = 2;

  /** The standard guarantees that the greatest tag is at least this. */
  private static final int LEAST_MAX_TAG = 32_767;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /** The world that this JVM has joined last; null if it has joined none. */
  private static volatile @Nullable MpiWorld joined;

  private final MpiLibrary library;
  private final boolean isOurs;
  private final Lock lock = new ReentrantLock();
  private final int process;
  private final int processes;
  private final MemorySegment communicator = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
  private final long messages;
  private final int maxTag;
  private volatile boolean hasFailed;
  private boolean isClosed;

  private MpiWorld(MpiLibrary library, boolean isOurs) {
    this.library = library;
    this.isOurs = isOurs;
    library.returnErrors(library.abi().world());
    this.process = number("MPI_Comm_rank");
    this.processes = number("MPI_Comm_size");
    this.messages = duplicate();
    this.maxTag = readMaxTag();
  }

  /** A communicator of all processes whose messages no other part of the program sees. */
  private long duplicate() {
    String symbol = "MPI_Comm_dup";
    try {
      library.check(
          symbol,
          (int)
              library
                  .function(symbol, "hp")
                  .invokeExact(library.abi().world(), communicator.address()));
      long made = library.handle(communicator);
      library.returnErrors(made);
      return made;
    } catch (Throwable t) {
      throw MpiLibrary.failed(symbol, t);
    }
  }

  /**
   * Joins the others, and waits until all have arrived. A program that has initialised MPI itself
   * must also finalise it.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if MPI has been finalised, or was
   *     initialised without threads; {@link ErrorCode#RUN_FAILED} with the library's text
   */
  public static MpiWorld join(MpiLibrary library) {
    if (told(library, "MPI_Finalized") != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "MPI has been finalised in this process and cannot begin again; close it after the last"
              + " operation");
    }
    boolean isOurs = told(library, "MPI_Initialized") == 0;
    int level = isOurs ? initialise(library) : told(library, "MPI_Query_thread");
    if (level < SERIALIZED) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "MPI must accept calls from several threads in turn, level %d (MPI_THREAD_SERIALIZED) or"
              + " more. Actual: level %d of %s",
          SERIALIZED,
          level,
          library);
    }
    MpiWorld made = new MpiWorld(library, isOurs);
    joined = made;
    return made;
  }

  /**
   * The world that this JVM has joined.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if it has joined none
   */
  public static MpiWorld joined() {
    MpiWorld world = joined;
    if (world == null) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "this process has not joined an MPI job");
    }
    return world;
  }

  /** The result of a function that writes one number. */
  private static int told(MpiLibrary library, String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(INT);
      library.check(symbol, (int) library.function(symbol, "p").invokeExact(number.address()));
      return number.get(INT, 0);
    } catch (Throwable t) {
      throw MpiLibrary.failed(symbol, t);
    }
  }

  private static int initialise(MpiLibrary library) {
    String symbol = "MPI_Init_thread";
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment level = arena.allocate(INT);
      MethodHandle initialise = library.function(symbol, "ppip");
      JvmSignals signals = JvmSignals.now(arena);
      try {
        library.check(symbol, (int) initialise.invokeExact(0L, 0L, SERIALIZED, level.address()));
      } finally {
        signals.restore();
      }
      return level.get(INT, 0);
    } catch (Throwable t) {
      throw MpiLibrary.failed(symbol, t);
    }
  }

  private int number(String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(INT);
      library.check(
          symbol,
          (int)
              library.function(symbol, "hp").invokeExact(library.abi().world(), number.address()));
      return number.get(INT, 0);
    } catch (Throwable t) {
      throw MpiLibrary.failed(symbol, t);
    }
  }

  @Override
  public int process() {
    return process;
  }

  @Override
  public int processes() {
    return processes;
  }

  /** The library that connects the processes. */
  public MpiLibrary library() {
    return library;
  }

  @Override
  public int maxTag() {
    return maxTag;
  }

  private int readMaxTag() {
    int attribute = library.abi().tagLimit();
    if (attribute == MpiAbi.UNKNOWN) {
      return LEAST_MAX_TAG;
    }
    String symbol = "MPI_Comm_get_attr";
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment isSet = arena.allocate(INT);
      library.check(
          symbol,
          (int)
              library
                  .function(symbol, "hipp")
                  .invokeExact(messages, attribute, place.address(), isSet.address()));
      return isSet.get(INT, 0) == 0 ? LEAST_MAX_TAG : numberAt(place);
    } catch (Throwable t) {
      throw MpiLibrary.failed(symbol, t);
    }
  }

  /** The number that a pointer points to. */
  @SuppressWarnings("restricted")
  private static int numberAt(MemorySegment pointer) {
    long address = pointer.get(ValueLayout.JAVA_LONG, 0);
    return MemorySegment.ofAddress(address).reinterpret(Integer.BYTES).get(INT, 0);
  }

  @Override
  public MpiWire newWire(int tag, int[] members) {
    if (tag < 0 || tag > maxTag) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a tag must be 0 to %d. Actual: %d", maxTag, tag);
    }
    return new MpiWire(this, messages, tag, members);
  }

  @Override
  public void abandon() {
    fail();
  }

  /** The lock that calls of the library hold. */
  Lock lock() {
    return lock;
  }

  /** Records that a call has failed: then the state of the others is not known. */
  void fail() {
    hasFailed = true;
  }

  @Override
  public boolean isAbandoned() {
    return hasFailed;
  }

  /**
   * Leaves the others, and waits until all do. After a failed call it does neither, because they
   * may be gone; then the launcher notices the failure when this process ends.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (isOurs && !hasFailed && !isClosed) {
        isClosed = true;
        library.check(
            "MPI_Comm_free",
            (int) library.function("MPI_Comm_free", "p").invokeExact(communicator.address()));
        library.check("MPI_Finalize", (int) library.function("MPI_Finalize", "").invokeExact());
      }
    } catch (Throwable t) {
      throw MpiLibrary.failed("MPI_Finalize", t);
    } finally {
      lock.unlock();
    }
  }
}
