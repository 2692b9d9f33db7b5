package dev.tutti.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tutti new} says about the SDK. */
final class SdkInstallationTest {

  private static final String VERSION = "0.1.0";

  @TempDir private Path repository;

  private void install(String artifact, String version) throws IOException {
    Path directory = repository.resolve("dev/tutti", artifact, version);
    Files.createDirectories(directory);
    Files.createFile(directory.resolve(artifact + "-" + version + ".pom"));
  }

  @Test
  void anInstalledSdkIsNotMentioned() throws IOException {
    install("tutti-bom", VERSION);
    install("tutti-sdk-api", VERSION);
    install("tutti-sdk-testkit", VERSION);

    assertThat(new SdkInstallation(repository, null).steps("my-ring", VERSION))
        .containsExactly("next: cd my-ring && ./mvnw verify");
  }

  @Test
  void aMissingSdkIsInstalledFirst() throws IOException {
    install("tutti-bom", VERSION);
    install("tutti-sdk-api", VERSION);
    install("tutti-sdk-testkit", "0.0.9");

    assertThat(new SdkInstallation(repository, null).steps("my-ring", VERSION))
        .containsExactly(
            "first, in a checkout of Tutti, install the SDK: ./mvnw -Dquick -DskipTests install",
            "then: cd my-ring && ./mvnw verify");
  }

  @Test
  void theCommandGoesToTheCheckoutThatItWasBuiltFrom() {
    SdkInstallation sdk = new SdkInstallation(repository, Path.of("/my work/tutti"));

    assertThat(sdk.steps("my-ring", VERSION))
        .first()
        .isEqualTo(
            "first, install the SDK: (cd '/my work/tutti' && ./mvnw -Dquick -DskipTests install)");
  }
}
