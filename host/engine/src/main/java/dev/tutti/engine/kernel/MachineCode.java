package dev.tutti.engine.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Installs the few instructions that Java cannot express: AVX2, on Linux on x86-64. */
final class MachineCode {

  private static final int VECTOR_BYTES = 32;

  private MachineCode() {}

  private static boolean isFit() {
    return System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64")
        && ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
        && VectorFactory.vectorBytes() >= VECTOR_BYTES;
  }

  /**
   * Maps a page, writes code into it, and makes it executable instead of writable.
   *
   * @param code at most a page, position independent, without calls
   * @param descriptor its arguments; the code runs without a transition, so it must be short
   * @return empty on other machines, if native access is denied, and if no page can be mapped
   */
  @SuppressWarnings("restricted") // native access is the purpose of this class
  static Optional<MethodHandle> install(byte[] code, FunctionDescriptor descriptor) {
    if (!isFit()) {
      return Optional.empty();
    }
    final int pageBytes = 4096;
    final int readWrite = 3;
    final int readExecute = 5;
    final int privateAnonymous = 0x22;
    Linker linker = Linker.nativeLinker();
    SymbolLookup libc = linker.defaultLookup();
    try {
      MethodHandle mmap =
          linker.downcallHandle(
              libc.findOrThrow("mmap"),
              FunctionDescriptor.of(
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG));
      MethodHandle mprotect =
          linker.downcallHandle(
              libc.findOrThrow("mprotect"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT));
      MemorySegment page =
          (MemorySegment)
              mmap.invokeExact(
                  MemorySegment.NULL, (long) pageBytes, readWrite, privateAnonymous, -1, 0L);
      if (page.address() == -1) {
        return Optional.empty();
      }
      MemorySegment text = page.reinterpret(pageBytes, Arena.global(), null);
      MemorySegment.copy(code, 0, text, ValueLayout.JAVA_BYTE, 0, code.length);
      int result = (int) mprotect.invokeExact(text, (long) pageBytes, readExecute);
      if (result != 0) {
        return Optional.empty();
      }
      return Optional.of(linker.downcallHandle(text, descriptor, Linker.Option.critical(false)));
    } catch (IllegalCallerException e) {
      // Native access is denied to this module.
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("native functions throw nothing", e);
    }
  }
}
