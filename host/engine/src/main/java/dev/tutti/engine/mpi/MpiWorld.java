package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The processes that a launcher like {@code mpirun} has started together, of which this JVM is one;
 * without a launcher it is alone. A JVM joins them once. Thread-safe: calls of the library take
 * turns.
 */
public final class MpiWorld implements AutoCloseable {

  /** The level of threads at which calls take turns. */
  private static final int SERIALIZED = 2;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private final MpiLibrary library;
  private final boolean isOurs;
  private final Lock lock = new ReentrantLock();
  private final int process;
  private final int processes;
  private boolean hasFailed;
  private boolean isClosed;

  private MpiWorld(MpiLibrary library, boolean isOurs) {
    this.library = library;
    this.isOurs = isOurs;
    library.returnErrors(library.abi().world());
    this.process = number("MPI_Comm_rank");
    this.processes = number("MPI_Comm_size");
  }

  /**
   * Joins the others, and waits until all have come. A program that has initialised MPI itself also
   * finalises it.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if MPI has been finalised, or was
   *     initialised without threads; {@link ErrorCode#RUN_FAILED} with what the library says
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
          "MPI must take calls of several threads in turns, level %d (MPI_THREAD_SERIALIZED) or"
              + " more. Actual: level %d of %s",
          SERIALIZED,
          level,
          library);
    }
    return new MpiWorld(library, isOurs);
  }

  /** The number that a function without arguments tells. */
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

  /** The number of this process, from 0. */
  public int process() {
    return process;
  }

  /** How many processes there are. */
  public int processes() {
    return processes;
  }

  /** The library that connects them. */
  public MpiLibrary library() {
    return library;
  }

  /**
   * A wire between all processes, whose messages are told from those of other wires. All processes
   * make the same wires in the same order, and wait for each other meanwhile.
   */
  public MpiWire newWire() {
    return new MpiWire(this);
  }

  /** What calls of the library hold. */
  Lock lock() {
    return lock;
  }

  /** Notes that a call has failed: then nobody can be sure of the others. Holds the lock. */
  void fail() {
    hasFailed = true;
  }

  /** Whether a call has failed. Holds the lock. */
  boolean hasFailed() {
    return hasFailed;
  }

  /**
   * Leaves the others; waits until all do. After a failed call it does not, as they may be gone:
   * then the launcher learns from the end of this process that something was wrong.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (isOurs && !hasFailed && !isClosed) {
        isClosed = true;
        library.check("MPI_Finalize", (int) library.function("MPI_Finalize", "").invokeExact());
      }
    } catch (Throwable t) {
      throw MpiLibrary.failed("MPI_Finalize", t);
    } finally {
      lock.unlock();
    }
  }
}
