package dev.tutti.verifier.gate;

import dev.tutti.sdk.TuttiException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a throwable of plugin code: its text, its stack and its causes, each up to a bound. The
 * original references the classes of all its frames, even after its stack was read, and its methods
 * are the plugin's. The copy references no class of the plugin and runs none of its code.
 */
public final class PluginFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The most characters of a message; fewer than a text that quotes it may have. */
  static final int MAX_TEXT = 2_000;

  /** The most frames of a stack. */
  static final int MAX_FRAMES = 256;

  /** The most throwables in all: the one thrown, its causes, and its suppressed ones. */
  static final int MAX_THROWABLES = 16;

  private static final String UNREADABLE = "(its message cannot be read)";

  private final String type;

  private PluginFailure(String type, @Nullable String message, StackTraceElement[] stack) {
    super(message);
    this.type = type;
    setStackTrace(stack);
  }

  /**
   * A copy that references nothing of the plugin. This method calls methods of the throwable, which
   * may do anything, so run it inside the gate call that threw it.
   *
   * @return a {@link TuttiException} with the same code if the original is one, else a failure that
   *     prints like the original
   */
  public static RuntimeException of(Throwable thrown) {
    try {
      return copy(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    } catch (Throwable t) {
      return new PluginFailure(thrown.getClass().getName(), UNREADABLE, new StackTraceElement[0]);
    }
  }

  private static RuntimeException copy(Throwable thrown, Set<Throwable> seen) {
    seen.add(thrown);
    StackTraceElement[] stack =
        Objects.requireNonNullElse(
            read(() -> stack(thrown), new StackTraceElement[0]), new StackTraceElement[0]);
    String message = cut(read(thrown::getMessage, UNREADABLE));
    RuntimeException copy =
        thrown instanceof TuttiException coded
            ? new TuttiException(coded.code(), "%s", message)
            : new PluginFailure(thrown.getClass().getName(), message, stack);
    copy.setStackTrace(stack);
    Throwable cause = read(thrown::getCause, null);
    if (cause != null && isNew(cause, seen)) {
      copy.initCause(copy(cause, seen));
    }
    for (Throwable each : thrown.getSuppressed()) {
      if (isNew(each, seen)) {
        copy.addSuppressed(copy(each, seen));
      }
    }
    return copy;
  }

  private static boolean isNew(Throwable other, Set<Throwable> seen) {
    return seen.size() < MAX_THROWABLES && !seen.contains(other);
  }

  private static StackTraceElement[] stack(Throwable thrown) {
    StackTraceElement[] stack = thrown.getStackTrace();
    return Arrays.stream(stack)
        .limit(MAX_FRAMES)
        .filter(Objects::nonNull)
        .toArray(StackTraceElement[]::new);
  }

  /** The throwable's class may be the plugin's, so its methods may throw anything, too. */
  private static <T> @Nullable T read(Supplier<? extends @Nullable T> part, @Nullable T otherwise) {
    try {
      return part.get();
    } catch (Throwable t) {
      return otherwise;
    }
  }

  private static @Nullable String cut(@Nullable String text) {
    return text == null ? null : PluginText.cut(text, MAX_TEXT);
  }

  /** Prints like the original, although its class differs. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return getMessage() == null ? type : type + ": " + getMessage();
  }
}
