package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The opened MPI library of a Linux machine. Neither its compiler nor its headers are needed. It
 * stays open until the JVM ends, and a JVM can use only one. Thread-safe.
 */
public final class MpiLibrary {

  /** The environment variable that names the library. */
  public static final String VARIABLE = "TUTTI_MPI";

  private static final List<String> OPEN_MPI = List.of("libmpi.so.40", "libmpi.so");
  private static final List<String> MPICH = List.of("libmpich.so.12", "libmpi.so.12");
  private static final List<String> STANDARD =
      List.of("libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so");

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /** The size of a buffer for the longest text of any library. */
  private static final int MAX_TEXT = 8192;

  private static final Linker LINKER = Linker.nativeLinker();

  private final SystemLoader loader;
  private final String name;
  private final long handle;
  private final String version;
  private final MpiAbi abi;

  private MpiLibrary(SystemLoader loader, String name, long handle) {
    this.loader = loader;
    this.name = name;
    this.handle = handle;
    if (find("MPI_Get_library_version") == 0) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "%s is not an MPI library of version 3 or newer: it has no MPI_Get_library_version",
          name);
    }
    this.version = text("MPI_Get_library_version");
    try {
      this.abi = MpiAbi.of(this::find, version, isStandard());
    } catch (TuttiException e) {
      throw new TuttiException(e.code(), "%s: %s", name, e.getMessage());
    }
  }

  /**
   * Opens a library.
   *
   * @param named a file, or a name that the system's loader finds; null for the one that {@value
   *     #VARIABLE} names, or else for one that fits the launcher of this process
   * @param environment the variables of this process
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if there is no library, or it is not
   *     an MPI library
   */
  public static MpiLibrary open(@Nullable String named, Map<String, String> environment) {
    if (!MpiLibrary.class.getModule().isNativeAccessEnabled()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "MPI needs native access: start the JVM with --enable-native-access=%s",
          MpiLibrary.class.getModule().isNamed() ? "dev.tutti.engine" : "ALL-UNNAMED");
    }
    String wanted = named == null ? environment.get(VARIABLE) : named;
    SystemLoader loader = new SystemLoader();
    // UCX would take the signals that the JVM needs.
    loader.setVariable("UCX_ERROR_SIGNALS", "");
    List<String> candidates = wanted == null ? candidates(environment) : List.of(wanted);
    List<String> reasons = new ArrayList<>();
    for (String candidate : candidates) {
      long handle = loader.open(candidate);
      if (handle != 0) {
        return new MpiLibrary(loader, candidate, handle);
      }
      reasons.add(loader.error());
    }
    if (wanted != null) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "MPI library %s cannot be opened: %s. Name its file, for instance"
              + " %s=/usr/lib/x86_64-linux-gnu/libmpi.so.40",
          wanted,
          reasons.getFirst(),
          VARIABLE);
    }
    throw new TuttiException(
        ErrorCode.UNSUPPORTED,
        "no MPI library was found; looked for %s. Install one (on Debian and Ubuntu the package"
            + " openmpi-bin or mpich), or name its file in %s",
        String.join(", ", candidates),
        VARIABLE);
  }

  /** The names of libraries, with those of the launcher that has started this process first. */
  private static List<String> candidates(Map<String, String> environment) {
    boolean isMpich =
        environment.containsKey("PMI_RANK") && !environment.containsKey("OMPI_COMM_WORLD_RANK");
    List<String> all = new ArrayList<>(isMpich ? MPICH : OPEN_MPI);
    all.addAll(isMpich ? OPEN_MPI : MPICH);
    all.addAll(STANDARD);
    return all;
  }

  /** The name by which it was opened. */
  public String name() {
    return name;
  }

  /** Its version text, in one line. */
  public String version() {
    return version.lines().findFirst().orElse("").strip();
  }

  MpiAbi abi() {
    return abi;
  }

  @Override
  public String toString() {
    return name + " (" + version() + ")";
  }

  private boolean isStandard() {
    if (find("MPI_Abi_get_version") == 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(2 * Integer.BYTES);
      long address = numbers.address();
      int ignored = (int) function("MPI_Abi_get_version", "pp").invokeExact(address, address + 4);
      return numbers.get(INT, 0) >= 1;
    } catch (Throwable t) {
      throw failed("MPI_Abi_get_version", t);
    }
  }

  private String text(String function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(MAX_TEXT);
      MemorySegment length = arena.allocate(INT);
      int ignored = (int) function(function, "pp").invokeExact(text.address(), length.address());
      return text.getString(0);
    } catch (Throwable t) {
      throw failed(function, t);
    }
  }

  /** The library's text for an error. */
  String errorText(int error) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(MAX_TEXT);
      MemorySegment length = arena.allocate(INT);
      int ignored =
          (int)
              function("MPI_Error_string", "ipp")
                  .invokeExact(error, text.address(), length.address());
      return text.getString(0).strip();
    } catch (Throwable t) {
      throw failed("MPI_Error_string", t);
    }
  }

  /**
   * A function of the library that returns an error, or 0. In Java, pointers and handles are longs,
   * whatever the type of a handle in the library.
   *
   * @param parameters a letter for each: i for a C int, p for a pointer, h for a handle
   */
  @SuppressWarnings("restricted")
  MethodHandle function(String symbol, String parameters) {
    long address = find(symbol);
    if (address == 0) {
      throw new TuttiException(ErrorCode.UNSUPPORTED, "%s has no function %s", name, symbol);
    }
    MemoryLayout[] layouts = new MemoryLayout[parameters.length()];
    Class<?>[] types = new Class<?>[parameters.length()];
    for (int i = 0; i < layouts.length; i++) {
      char kind = parameters.charAt(i);
      layouts[i] = kind == 'i' || (kind == 'h' && abi.hasIntHandles()) ? INT : WORD;
      types[i] = kind == 'i' ? int.class : long.class;
    }
    MethodHandle function =
        LINKER.downcallHandle(
            MemorySegment.ofAddress(address), FunctionDescriptor.of(INT, layouts));
    return MethodHandles.explicitCastArguments(function, MethodType.methodType(int.class, types));
  }

  /** A handle that the library has written. */
  long handle(MemorySegment written) {
    return abi.hasIntHandles() ? written.get(INT, 0) : written.get(WORD, 0);
  }

  /**
   * Refuses an error that a function has returned.
   *
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} and the library's text
   */
  void check(String function, int error) {
    if (error != 0) {
      throw new TuttiException(
          ErrorCode.RUN_FAILED, "%s of %s failed: %s", function, name, errorText(error));
    }
  }

  private long find(String symbol) {
    return loader.find(handle, symbol);
  }

  /** Makes calls return their errors instead of ending the process. */
  void returnErrors(long communicator) {
    String symbol = "MPI_Comm_set_errhandler";
    try {
      check(symbol, (int) function(symbol, "hh").invokeExact(communicator, abi.errorsReturn()));
    } catch (Throwable t) {
      throw failed(symbol, t);
    }
  }

  /** The error of a call that could not be made. */
  static TuttiException failed(String call, Throwable t) {
    if (t instanceof TuttiException e) {
      return e;
    }
    return new TuttiException(ErrorCode.RUN_FAILED, t, "%s could not be called: %s", call, t);
  }
}
