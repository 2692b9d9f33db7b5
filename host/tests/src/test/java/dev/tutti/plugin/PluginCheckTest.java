package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of whole jars, of which no class is loaded. */
final class PluginCheckTest {

  private static final String EXITS_WHEN_LOADED = "static { System.exit(1); }";

  @TempDir private Path directory;
  private final PluginCheck check = PluginCheck.create();

  private Path good() {
    return PluginJars.plugin("good").allReduce("Good", "good").write(directory, "good.jar");
  }

  private static List<ErrorCode> codes(PluginReport report) {
    return report.problems().stream().map(PluginProblem::code).toList();
  }

  @Test
  void aGoodJarIsDescribed() throws Exception {
    Path jar = good();
    PluginReport report = check.check(jar);
    assertThat(report.isClean()).isTrue();
    assertThat(report.manifest().id()).isEqualTo("good");
    assertThat(report.sha256())
        .isEqualTo(
            HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar))));
    assertThat(report.signature()).isEqualTo("not signed");
    assertThat(report.signer()).isEmpty();
  }

  @Test
  void noClassIsLoaded() {
    Path jar =
        PluginJars.plugin("bad")
            .provider("Bad", PluginJars.allReduceSource("Bad", "bad", EXITS_WHEN_LOADED))
            .write(directory, "bad.jar");
    assertThat(check.check(jar).problems())
        .singleElement()
        .extracting(PluginProblem::message)
        .asString()
        .startsWith("p.Bad cannot be used: java.lang.System.exit(int) is not allowed; used by");
  }

  @Test
  void everyKindOfProblemIsInOneReport() {
    Path jar =
        PluginJars.pluginFor("bad", "[7.0,8.0)")
            .provider("Bad", PluginJars.allReduceSource("Bad", "bad", "static int x;"))
            .provided("p.Gone")
            .entry("dev/tutti/sdk/Mine.class", "x")
            .write(directory, "bad.jar");
    assertThat(codes(check.check(jar)))
        .containsExactlyInAnyOrder(
            ErrorCode.PLUGIN_SHADOWS_SPI,
            ErrorCode.PLUGIN_PROVIDER,
            ErrorCode.PLUGIN_SPI_VERSION,
            ErrorCode.PLUGIN_LINK);
  }

  @Test
  void whatCannotBeReadIsOneProblem() throws Exception {
    Path jar = Files.writeString(directory.resolve("bad.jar"), "no jar");
    PluginReport report = check.check(jar);
    assertThat(codes(report)).containsExactly(ErrorCode.PLUGIN_UNREADABLE);
    assertThat(report.manifest()).isNull();
  }

  @Test
  void aDamagedEntryThatNobodyLoadsIsFoundToo() throws Exception {
    Path jar =
        new ZipBytes().saying("unused.bin", new byte[1000], 999).write(directory.resolve("a.jar"));
    assertThat(codes(check.check(jar))).containsExactly(ErrorCode.PLUGIN_UNREADABLE);
  }

  @Test
  void signaturesAreCheckedAgainstTheTrustFile() throws Exception {
    KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Path trust =
        Files.writeString(
            directory.resolve("trust"),
            "alice " + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()));
    PluginCheck trusting = check.trusting(trust);
    PluginCheck strict = trusting.requireSigned();
    Path jar = good();
    assertThat(trusting.check(jar).isClean()).isTrue();
    assertThat(strict.check(jar).problems())
        .singleElement()
        .hasToString(
            "[TUTTI-408] good.jar: it is not signed; sign the SHA-256 of the jar with a key of the"
                + " trust file, into good.jar.sig");

    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(keys.getPrivate());
    signer.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    Path file = Files.write(directory.resolve("good.jar.sig"), signer.sign());
    PluginReport signed = strict.check(jar);
    assertThat(signed.isClean()).isTrue();
    assertThat(signed.signer()).contains("alice");
    assertThat(signed.signature()).isEqualTo("signed by alice");
    assertThat(check.check(jar).signature()).startsWith("signed, but there is no trust file");

    Files.write(file, new byte[64]);
    assertThat(codes(trusting.check(jar))).containsExactly(ErrorCode.PLUGIN_SIGNATURE);
    assertThat(codes(check.requireSigned().check(jar))).containsExactly(ErrorCode.PLUGIN_SIGNATURE);
  }

  @Test
  void onlyTheProvidersThatReachAProblemAreLost() {
    PluginJars.plugin("half")
        .allReduce("Fine", "fine")
        .provider("Bad", PluginJars.allReduceSource("Bad", "bad", EXITS_WHEN_LOADED))
        .write(directory, "half.jar");
    try (PluginSet set = PluginSet.builder().directory(directory).load()) {
      assertThat(set.algorithms()).extracting(Algorithm::name).containsExactly("fine");
      assertThat(set.problems())
          .extracting(PluginProblem::code)
          .containsExactly(ErrorCode.PLUGIN_LINK);
    }
  }

  @Test
  void whatIsAskedForIsGranted() {
    PluginJars.plugin("asks")
        .manifest(
            """
            {"id": "asks", "version": "1", "sdk": "[0.1,1.0)", "capabilities": ["clock"]}
            """)
        .provider(
            "Asks",
            PluginJars.allReduceSource("Asks", "asks", "final long born = System.nanoTime();"))
        .write(directory, "asks.jar");
    try (PluginSet set = PluginSet.builder().directory(directory).load()) {
      set.requireNoProblems();
      assertThat(set.algorithms()).hasSize(1);
    }
  }
}
