package dev.tutti.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.arch.GoodPlugin;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars are what a host expects: classes, services file, manifest. */
public class TestPluginsTest {

  @TempDir private Path directory;

  /** A provider without nested classes. */
  @CollAlgorithm(name = "plain", summary = "Does nothing")
  public static final class Plain extends CollExecutorBase<BarrierParam> {
    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(BarrierParam param, AlgResourceResponse resources) {}
  }

  private static List<CollExecutorBase<?>> load(URLClassLoader loader) {
    return StreamSupport.stream(
            ServiceLoader.load(CollExecutorBase.class, loader).spliterator(), false)
        .<CollExecutorBase<?>>map(executor -> executor)
        .toList();
  }

  private static String entry(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return new String(
          file.getInputStream(file.getJarEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void providersAreFoundInTheJarWithAllThatIsNestedInThem() throws IOException {
    Path jar =
        TestPlugins.jar(directory.resolve("plugins/good.jar"), GoodPlugin.class, Plain.class);

    assertThat(entry(jar, TestPlugins.SERVICES))
        .isEqualTo(GoodPlugin.class.getName() + "\n" + Plain.class.getName() + "\n");
    assertThat(entry(jar, TestPlugins.MANIFEST)).contains("\"id\": \"org.example.test\"");
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.stream().map(each -> each.getName()))
          .contains(
              "dev/tutti/testkit/arch/GoodPlugin$Step.class",
              "dev/tutti/testkit/plugin/TestPluginsTest$Plain.class")
          .doesNotContain("dev/tutti/testkit/plugin/TestPluginsTest.class");
    }
  }

  @Test
  void aCopyIsAnotherClassAndAnotherAlgorithmThatDoesTheSame() throws IOException {
    Path jar =
        TestPlugins.plugin("copy")
            .version("2.1.0")
            .sdk("[0.1,0.2)")
            .copyOf(Plain.class, "org.example.Copy", "copy")
            .write(directory.resolve("copy.jar"));

    assertThat(entry(jar, TestPlugins.MANIFEST))
        .contains("\"version\": \"2.1.0\"", "\"sdk\": \"[0.1,0.2)\"");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      CollExecutorBase<?> copy = load(loader).getFirst();
      assertThat(copy.getClass().getName()).isEqualTo("org.example.Copy");
      assertThat(copy.getClass().getAnnotation(CollAlgorithm.class).name()).isEqualTo("copy");
      assertThat(Operation.ofExecutor(copy.getClass())).isEqualTo(Operation.BARRIER);
      @SuppressWarnings("unchecked")
      CollExecutorBase<BarrierParam> executor = (CollExecutorBase<BarrierParam>) copy;
      BarrierParam param = new BarrierParam(CommInfo.of(0, Topology.flat(2)));
      assertThat(new PlanRecorder().record("copy", executor, param).rankSize()).isEqualTo(2);
    }
  }

  @Test
  void aClassWithNestedOnesCannotBeCopied() {
    TestPlugins plugin = TestPlugins.plugin("copy");

    assertThatThrownBy(() -> plugin.copyOf(GoodPlugin.class, "org.example.Copy", "copy"))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("without nested classes");
  }

  @Test
  void whatIsGivenIsNotWrittenOver() throws IOException {
    Path jar =
        TestPlugins.plugin("own")
            .provider(Plain.class)
            .entry(TestPlugins.MANIFEST, "{}")
            .entry(TestPlugins.SERVICES, "org.example.Missing\n")
            .write(directory.resolve("own.jar"));

    assertThat(entry(jar, TestPlugins.MANIFEST)).isEqualTo("{}");
    assertThat(entry(jar, TestPlugins.SERVICES)).isEqualTo("org.example.Missing\n");
  }

  @Test
  void equalContentGivesEqualBytes() throws IOException {
    Path first = TestPlugins.jar(directory.resolve("a.jar"), Plain.class);
    Path second = TestPlugins.jar(directory.resolve("b.jar"), Plain.class);

    assertThat(Files.mismatch(first, second)).isEqualTo(-1);
    try (JarFile file = new JarFile(first.toFile())) {
      assertThat(file.stream().map(each -> each.getLastModifiedTime().toMillis())).containsOnly(0L);
    }
  }
}
