package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.plugin.guard.GuardPolicy;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restrictions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartitionClassLoaderTest {

  @TempDir private Path directory;
  private Path jar;

  @BeforeEach
  void writeAJar() {
    jar =
        PluginJars.plugin("one")
            .allReduce("One", "one")
            .source("Other", "package p; public class Other {}")
            .entry("some/file.txt", "hello")
            .write(directory, "one.jar");
  }

  private PartitionClassLoader open() {
    return open(Set.of());
  }

  private PartitionClassLoader open(Set<Capability> granted) {
    return new PartitionClassLoader(
        new GuardPolicy("one", granted, new Restrictions()),
        "1.2.0",
        PluginJar.read(jar),
        (name, bytes) -> bytes,
        CollExecutorBase.class.getClassLoader());
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void classesComeFromTheBytesThatWereRead() throws Exception {
    PartitionClassLoader loader = open();
    Files.write(jar, new byte[] {1, 2, 3});
    assertThat(loader.loadClass("p.One").getClassLoader()).isSameAs(loader);
    Files.delete(jar);
    assertThat(loader.loadClass("p.Other").getClassLoader()).isSameAs(loader);
  }

  @Test
  void otherModulesThanTheBaseOfTheJdkAreNotSeen() throws Exception {
    PartitionClassLoader loader = open(Set.of());
    assertThat(loader.loadClass("java.util.List")).isSameAs(List.class);
    assertThat(loader.loadClass("java.lang.Process")).isSameAs(Process.class);
    assertThatThrownBy(() -> loader.loadClass("javax.xml.transform.TransformerFactory"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessage(
            "plugin 'one' does not see javax.xml.transform.TransformerFactory of the module"
                + " java.xml; no plugin may do that, because it is not on the list of what planning"
                + " needs");
    assertThatThrownBy(() -> loader.loadClass("java.net.http.HttpClient"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageEndingWith("; ask for the capability 'network' in META-INF/tutti/plugin.json");
    assertThat(open(Set.of(Capability.NETWORK)).loadClass("java.net.http.HttpClient").getName())
        .isEqualTo("java.net.http.HttpClient");
  }

  @Test
  void aClassKnowsItsJarAndItsLoaderItsPlugin() throws Exception {
    PartitionClassLoader loader = open();
    assertThat(loader.getName()).isEqualTo("plugin one 1.2.0");
    assertThat(loader.loadClass("p.One").getProtectionDomain().getCodeSource().getLocation())
        .isEqualTo(jar.toUri().toURL());
  }

  @Test
  void resourcesAreReadInEveryWay() throws Exception {
    PartitionClassLoader loader = open();
    URL url = loader.getResource("some/file.txt");
    assertThat(url).hasToString("tutti-plugin://one/some/file.txt");
    assertThat(text(url.openStream())).isEqualTo("hello");
    assertThat(text(loader.getResourceAsStream("some/file.txt"))).isEqualTo("hello");
    assertThat(Collections.list(loader.getResources("some/file.txt"))).hasSize(1);
    assertThat(loader.getResource("some/other.txt")).isNull();
  }

  @Test
  void nothingIsOpenNeitherBeforeNorAfterClosing() throws Exception {
    try (PartitionClassLoader loader = open()) {
      loader.loadClass("p.One");
      InputStream unclosed = loader.getResource("some/file.txt").openStream();
      assertThat(unclosed.read()).isEqualTo('h');
      assertThat(openFiles()).doesNotContain(jar.toRealPath());
    }
    assertThat(openFiles()).doesNotContain(jar.toRealPath());
  }

  /** The files that this process has open; without /proc there is nothing to see. */
  private static List<Path> openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(descriptors)) {
      return files.map(PartitionClassLoaderTest::target).toList();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return descriptor; // It was the one of the listing itself.
    }
  }

  @Test
  void onceClosedItHasNothingAndAsksNobody() throws Exception {
    PartitionClassLoader loader = open();
    loader.loadClass("p.One");
    loader.close();
    for (String name : List.of("p.One", "p.Other", "java.lang.String", "dev.tutti.sdk.DataType")) {
      assertThatThrownBy(() -> loader.loadClass(name))
          .isInstanceOf(ClassNotFoundException.class)
          .hasMessage("plugin 'one' is closed and cannot load " + name);
    }
    assertThat(loader.getResource("some/file.txt")).isNull();
    assertThat(loader.getResource("java/lang/String.class")).isNull();
    assertThat(loader.getResources("some/file.txt").hasMoreElements()).isFalse();
  }

  @Test
  void manyThreadsGetOneClass() throws Exception {
    PartitionClassLoader loader = open();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      Callable<Class<?>> load = () -> loader.loadClass("p.One");
      assertThat(
              threads.invokeAll(Collections.nCopies(64, load)).stream()
                  .map(future -> future.resultNow())
                  .distinct())
          .hasSize(1);
    }
  }

  @Test
  void aClosedLoaderIsCollected() throws Exception {
    WeakReference<PartitionClassLoader> closed = loadAndClose();
    Await.collection(() -> closed.get() == null);
  }

  private WeakReference<PartitionClassLoader> loadAndClose() throws Exception {
    PluginSet set = PluginSet.builder().jar(jar).load();
    set.requireNoProblems();
    ClassLoader loader = set.algorithms().getFirst().executor().getClass().getClassLoader();
    assertThat(text(loader.getResource("some/file.txt").openStream())).isEqualTo("hello");
    set.close();
    return new WeakReference<>((PartitionClassLoader) loader);
  }
}
