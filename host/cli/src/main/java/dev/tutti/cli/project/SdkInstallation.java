package dev.tutti.cli.project;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.ShellWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SDK in the local Maven repository, where the build of a new project expects it.
 *
 * @param repository the local Maven repository
 * @param checkout the sources of Tutti that this command was built from; null if they are unknown
 */
record SdkInstallation(Path repository, @Nullable Path checkout) {

  /** The artifacts of Tutti that a project's pom.xml uses. */
  private static final List<String> ARTIFACTS =
      List.of("tutti-bom", "tutti-sdk-api", "tutti-sdk-testkit");

  /** The user's default repository. */
  static SdkInstallation ofUser() {
    Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");
    String home = System.getProperty("tutti.home", "");
    Path checkout = home.isEmpty() ? null : Path.of(home).resolve("../..").normalize();
    boolean isCheckout =
        checkout != null
            && Files.exists(checkout.resolve("mvnw"))
            && Files.exists(checkout.resolve("sdk-api"));
    return new SdkInstallation(repository, isCheckout ? checkout : null);
  }

  /** Whether all artifacts of a version are installed, or were downloaded. */
  boolean has(String version) {
    Path group = repository.resolve("dev/tutti");
    return ARTIFACTS.stream()
        .map(artifact -> group.resolve(artifact, version, artifact + "-" + version + ".pom"))
        .allMatch(Files::exists);
  }

  /** An instruction to install the SDK, with a command at the end. */
  String instruction() {
    String command = "./mvnw -Dquick -DskipTests install";
    return checkout == null
        ? "in a checkout of Tutti, install the SDK: " + command
        : Sentence.of(
            "install the SDK: (cd %s && %s)", ShellWord.quoted(checkout.toString()), command);
  }

  /** The next steps for a new project, in order. */
  List<String> steps(String project, String version) {
    String next = Sentence.of("cd %s && ./mvnw verify", project);
    return has(version)
        ? List.of("next: " + next)
        : List.of("first, " + instruction(), "then: " + next);
  }
}
