package dev.tutti.cli.terminal;

import dev.tutti.base.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The version of this program, and the machine and JVM on which it runs. */
public final class TuttiVersion {

  public static final List<String> OPTIONS = List.of("--version", "-V");

  private TuttiVersion() {}

  public static String line() {
    return Sentence.of(
        "tutti %s (JDK %s, %s %s)",
        number(), Runtime.version(), property("os.name"), property("os.arch"));
  }

  /** The version of the host's module, or {@code "unknown"} outside a module. */
  public static String number() {
    Module module = TuttiVersion.class.getModule();
    @Nullable String version =
        module.isNamed()
            ? module.getDescriptor().rawVersion().orElse(null)
            : TuttiVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static String property(String name) {
    return System.getProperty(name, "?");
  }
}
