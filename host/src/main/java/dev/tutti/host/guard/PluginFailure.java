package dev.tutti.host.guard;

import dev.tutti.sdk.TuttiException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of what plugin code threw: its text, its stack, its causes. A throwable itself holds the
 * classes of all its frames, even after its stack was read, so who keeps one keeps the plugin; of
 * this copy only frames of the host are held.
 */
public final class PluginFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String type;

  private PluginFailure(String type, @Nullable String message, StackTraceElement[] stack) {
    super(message);
    this.type = type;
    setStackTrace(stack);
  }

  /**
   * A copy that holds nothing of the plugin.
   *
   * @return a {@link TuttiException} of the same code for one, else a failure that prints as the
   *     original does
   */
  public static RuntimeException of(Throwable thrown) {
    return copy(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static RuntimeException copy(Throwable thrown, Set<Throwable> seen) {
    seen.add(thrown);
    StackTraceElement[] stack = thrown.getStackTrace();
    String message = read(thrown::getMessage, "(its message cannot be read)");
    RuntimeException copy =
        thrown instanceof TuttiException coded
            ? new TuttiException(coded.code(), "%s", message)
            : new PluginFailure(thrown.getClass().getName(), message, stack);
    copy.setStackTrace(stack);
    Throwable cause = read(thrown::getCause, null);
    if (cause != null && !seen.contains(cause)) {
      copy.initCause(copy(cause, seen));
    }
    for (Throwable each : thrown.getSuppressed()) {
      if (!seen.contains(each)) {
        copy.addSuppressed(copy(each, seen));
      }
    }
    return copy;
  }

  /** The class of what was thrown is the plugin's, and its methods may throw anything, too. */
  private static <T> @Nullable T read(Supplier<? extends @Nullable T> part, @Nullable T otherwise) {
    try {
      return part.get();
    } catch (Throwable t) {
      return otherwise;
    }
  }

  /** As the original prints, whose class is another one. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return getMessage() == null ? type : type + ": " + getMessage();
  }
}
