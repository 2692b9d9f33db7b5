package dev.tutti.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import dev.tutti.plan.GroupPlan;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.simulator.Simulator;
import dev.tutti.verifier.VirtualCluster;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same samples give the same results under JUnit 5 and JUnit 6, each in a process of its own.
 */
class JUnitVersionsTest {

  /** The directory into which the build copies the jars of JUnit 6. */
  private static final String JUNIT_6 = "tutti.junit6";

  @TempDir private Path directory;

  @Test
  void runsUnderJUnit5() throws Exception {
    List<String> own =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !place(JUnitVersionsTest.class).equals(entry))
            .toList();

    assertSame("JUnit 5.14.", run(own));
  }

  @Test
  void runsUnderJUnit6() throws Exception {
    String jars = System.getProperty(JUNIT_6);
    Assumptions.assumeTrue(jars != null, "Maven says where the jars of JUnit 6 are");
    List<String> classPath = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of(jars))) {
      files.map(Path::toString).sorted().forEach(classPath::add);
    }
    assertThat(classPath).anyMatch(jar -> jar.contains("junit-platform-launcher-6."));
    for (Class<?> type :
        List.of(
            Simulator.class,
            VirtualCluster.class,
            Collectives.class,
            ProviderEngine.class,
            CollExecutorBase.class,
            GroupPlan.class,
            ByteBuddy.class,
            ArchRule.class,
            NullMarked.class)) {
      classPath.add(place(type));
    }
    // The engine is a service, whose file may lie apart from its class.
    classPath.addAll(services());

    assertSame("JUnit 6.", run(classPath));
  }

  private static void assertSame(String version, List<String> lines) {
    assertThat(lines.getFirst()).startsWith(version);
    assertThat(lines.get(1)).matches("OneLine \\{SUCCESSFUL=\\d\\d+}");
    assertThat(lines.get(2)).matches("OneAnnotation \\{FAILED=\\d+, SUCCESSFUL=\\d+, files=\\d+}");
    assertThat(lines.get(3)).matches("providers \\{SUCCESSFUL=\\d{3,}}");
    assertThat(lines).hasSize(4);
  }

  private static String place(Class<?> type) {
    return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
  }

  private static List<String> services() throws IOException {
    String file = "META-INF/services/org.junit.platform.engine.TestEngine";
    return ProviderEngine.class
        .getClassLoader()
        .resources(file)
        .filter(url -> url.getProtocol().equals("file"))
        .map(url -> url.getPath().substring(0, url.getPath().length() - file.length()))
        .toList();
  }

  /** Runs the samples with a provider that no test names; returns the printed lines. */
  private List<String> run(List<String> classPath) throws Exception {
    Path services = directory.resolve("services/META-INF/services");
    Files.createDirectories(services);
    Files.writeString(
        services.resolve(CollExecutorBase.class.getName()),
        Halves.Sender.class.getName() + "\n" + Halves.Receiver.class.getName() + "\n");
    List<String> all = new ArrayList<>(classPath);
    all.add(place(JUnitVersionsTest.class));
    all.add(directory.resolve("services").toString());
    Path output = directory.resolve("output.txt");
    Path errors = directory.resolve("errors.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(File.pathSeparator, all),
                VersionRun.class.getName(),
                place(JUnitVersionsTest.class),
                directory.resolve("published").toString())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(errors)).isZero();
    return read(output).lines().toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
