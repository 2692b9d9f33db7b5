package dev.tutti.engine.mpi;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The system's loader of libraries. Unlike the JVM's loader, it can share their symbols. */
@SuppressWarnings("restricted")
final class SystemLoader {

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /** Flags of {@code dlopen}: resolve now, and let dependent libraries see the symbols. */
  private static final int RTLD_NOW_GLOBAL = 0x2 | 0x100;

  private static final int MAX_TEXT = 8192;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYSTEM = LINKER.defaultLookup();

  private String error = "";

  /** A function of the C library. */
  static MethodHandle function(String symbol, FunctionDescriptor type) {
    MemorySegment address =
        SYSTEM
            .find(symbol)
            .orElseThrow(
                () ->
                    new TuttiException(
                        ErrorCode.UNSUPPORTED, "this system has no function %s", symbol));
    return LINKER.downcallHandle(address, type);
  }

  /** Opens a library; 0 if it cannot be opened. */
  long open(String library) {
    MethodHandle dlopen = function("dlopen", FunctionDescriptor.of(WORD, WORD, INT));
    // Looked up first, because a look-up clears the error.
    MethodHandle dlerror = function("dlerror", FunctionDescriptor.of(WORD));
    try (Arena arena = Arena.ofConfined()) {
      long handle =
          (long) dlopen.invokeExact(arena.allocateFrom(library).address(), RTLD_NOW_GLOBAL);
      long text = handle == 0 ? (long) dlerror.invokeExact() : 0;
      error =
          text == 0
              ? "no reason is given"
              : MemorySegment.ofAddress(text).reinterpret(MAX_TEXT).getString(0);
      return handle;
    } catch (Throwable t) {
      throw MpiLibrary.failed("dlopen", t);
    }
  }

  /** Why the last library could not be opened. */
  String error() {
    return error;
  }

  /** The address of a symbol; 0 if the library has none. */
  long find(long handle, String symbol) {
    MethodHandle dlsym = function("dlsym", FunctionDescriptor.of(WORD, WORD, WORD));
    try (Arena arena = Arena.ofConfined()) {
      return (long) dlsym.invokeExact(handle, arena.allocateFrom(symbol).address());
    } catch (Throwable t) {
      throw MpiLibrary.failed("dlsym", t);
    }
  }

  /** Sets an environment variable for loaded libraries, unless it is set already. */
  void setVariable(String variable, String value) {
    MethodHandle setenv = function("setenv", FunctionDescriptor.of(INT, WORD, WORD, INT));
    try (Arena arena = Arena.ofConfined()) {
      int ignored =
          (int)
              setenv.invokeExact(
                  arena.allocateFrom(variable).address(), arena.allocateFrom(value).address(), 0);
    } catch (Throwable t) {
      throw MpiLibrary.failed("setenv", t);
    }
  }
}
