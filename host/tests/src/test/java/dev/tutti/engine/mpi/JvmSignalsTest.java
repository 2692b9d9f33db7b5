package dev.tutti.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class JvmSignalsTest {

  private static final FunctionDescriptor SIGNAL =
      FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);

  /** One that this JVM can spare for a moment. */
  private static final int SIGTRAP = 5;

  private static final long IGNORE = 1;

  @Test
  void whatALibraryHasTakenIsGivenBack() throws Throwable {
    MethodHandle signal = SystemLoader.function("signal", SIGNAL);
    try (Arena arena = Arena.ofConfined()) {
      JvmSignals signals = JvmSignals.now(arena);
      long before = (long) signal.invokeExact(SIGTRAP, IGNORE);

      signals.restore();

      long after = (long) signal.invokeExact(SIGTRAP, before);
      // With its flags, too, which a call of signal changes.
      signals.restore();
      assertThat(before).isNotEqualTo(IGNORE);
      assertThat(after).isEqualTo(before);
    }
  }
}
