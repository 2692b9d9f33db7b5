package dev.tutti.cli;

import dev.tutti.base.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this program is and what it runs on. */
final class Version {

  static final List<String> OPTIONS = List.of("--version", "-V");

  private Version() {}

  static String line() {
    return Sentence.of(
        "tutti %s (JDK %s, %s %s)",
        number(), Runtime.version(), property("os.name"), property("os.arch"));
  }

  /** The version of the host's module, or {@code "unknown"} outside a module. */
  static String number() {
    Module module = Version.class.getModule();
    @Nullable String version =
        module.isNamed()
            ? module.getDescriptor().rawVersion().orElse(null)
            : Version.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static String property(String name) {
    return System.getProperty(name, "?");
  }
}
