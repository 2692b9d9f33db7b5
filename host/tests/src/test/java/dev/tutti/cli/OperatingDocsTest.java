package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.live.PullJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/operating.md in their order, and compares their output and the host's
 * with the page. With the system property {@code tutti.operating.rewrite} set, it writes the page
 * instead.
 */
@Timeout(600)
class OperatingDocsTest {

  private static final boolean REWRITES = System.getProperty("tutti.operating.rewrite") != null;
  private static final Path PAGE = Path.of("..", "..", "docs", "operating.md");
  private static final String ID = "org.example.pull";

  @TempDir private Path directory;

  @Test
  void thePageIsWhatHappens() throws Exception {
    makeJars();
    List<Transcript.Part> shown = Transcript.parse(Files.readString(PAGE));
    List<Transcript.Part> happened = new ArrayList<>();
    try (DocumentedShell shell = new DocumentedShell(directory)) {
      for (Transcript.Part part : shown) {
        happened.add(happened(part, shell));
      }
    }
    if (REWRITES) {
      Files.writeString(PAGE, Transcript.page(happened));
      shown = happened;
    }
    assertThat(happened)
        .as("commands of the page")
        .filteredOn(Transcript.Command.class::isInstance)
        .hasSizeGreaterThan(20);
    for (int i = 0; i < shown.size(); i++) {
      assertThat(happened.get(i).stable())
          .as("run with -Dtutti.operating.rewrite=true, and look at what has changed")
          .isEqualTo(shown.get(i).stable());
    }
  }

  private static Transcript.Part happened(Transcript.Part part, DocumentedShell shell)
      throws Exception {
    return switch (part) {
      case Transcript.Prose prose -> prose;
      case Transcript.Command command -> shell.run(command);
      case Transcript.HostOutput told -> shell.awaitHost(told);
    };
  }

  /** Makes the jars that the page assumes. */
  private void makeJars() throws IOException, GeneralSecurityException {
    Files.createDirectory(directory.resolve("plugins"));
    PullJar.of(ID, "1.0").write(directory.resolve("pull-1.0.jar"));
    PullJar.of(ID, "1.1").write(directory.resolve("pull-1.1.jar"));
    PullJar.of(ID, "1.2").without(PullJar.LIBRARY).write(directory.resolve("pull-1.2.jar"));
    PullJar.of(ID, "1.3")
        .check(
            "if (param.outputBytes() > 1_000_000) throw new IllegalStateException(\"too large\");")
        .write(directory.resolve("pull-1.3.jar"));
    sign(PullJar.of(ID, "1.4").write(directory.resolve("pull-1.4.jar")));
  }

  private void sign(Path jar) throws IOException, GeneralSecurityException {
    KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(keys.getPrivate());
    signer.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    Files.write(jar.resolveSibling(jar.getFileName() + ".sig"), signer.sign());
    Files.writeString(
        directory.resolve("trusted-keys"),
        "alice " + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()) + "\n");
  }
}
