package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tutti.plugin.signature.TrustedKeys;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with bytes changed, cut out, doubled and put in, from fixed seeds. Whatever reads them
 * answers with a coded error or takes them, within its time. {@code -Dtutti.mutations=100000} tries
 * more of them, {@code -Dtutti.mutations.seed=7} others.
 */
@Timeout(3600)
final class MutatedFilesTest {

  private static final int COUNT = Integer.getInteger("tutti.mutations", 150);
  private static final long SEED = Long.getLong("tutti.mutations.seed", 1);

  private static final String PROVIDER =
      PluginJars.allReduceSource(
          "Ring",
          "ring",
          """
          sealed interface Shape permits Dot {}
          record Dot(int[] values) implements Shape {}
          static String words(Object o) {
            Runnable run = () -> System.identityHashCode(o);
            run.run();
            return switch (o) { case Dot d -> "dot" + d.values().length; default -> "none"; };
          }
          """);

  @TempDir private Path directory;
  private final PluginCheck check = PluginCheck.create();

  /** Changes a file in one to four places. */
  private static byte[] mutated(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int change = 1 + random.nextInt(4); change > 0 && bytes.length > 4; change--) {
      int at = random.nextInt(bytes.length);
      int length = Math.min(1 + random.nextInt(random.nextBoolean() ? 4 : 400), bytes.length - at);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> Arrays.fill(bytes, at, at + length, (byte) (random.nextBoolean() ? 0 : -1));
        case 3 -> bytes = joined(bytes, at, new byte[0], at + length);
        case 4 -> bytes = joined(bytes, at, Arrays.copyOfRange(bytes, at, at + length), at);
        default -> {
          byte[] noise = new byte[length];
          random.nextBytes(noise);
          System.arraycopy(noise, 0, bytes, at, length);
        }
      }
    }
    return bytes;
  }

  /** The bytes up to one place, others, and the bytes from another place on. */
  private static byte[] joined(byte[] bytes, int end, byte[] between, int start) {
    byte[] joined = Arrays.copyOf(bytes, end + between.length + bytes.length - start);
    System.arraycopy(between, 0, joined, end, between.length);
    System.arraycopy(bytes, start, joined, end + between.length, bytes.length - start);
    return joined;
  }

  /** Loads a mutated jar and runs its code, as a host does. */
  private void load(Path jar, String what) {
    assertThatCode(
            () -> {
              PluginReport report = check.check(jar);
              try (PluginInstance instance =
                  PluginInstance.load(jar, jar, Duration.ofSeconds(20))) {
                assertThat(instance.plugin().id()).isNotEmpty();
              } catch (TuttiException e) {
                assertThat(e.getMessage()).as(what).isNotNull().hasSizeLessThan(200_000);
              }
              assertThat(report.problems()).as(what).doesNotContainNull();
            })
        .as(what)
        .doesNotThrowAnyException();
  }

  private Map<String, byte[]> entries() throws IOException {
    Path jar =
        PluginJars.plugin("ring").provider("Ring", PROVIDER).write(directory, "original.jar");
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (var entry : file.stream().filter(it -> !it.isDirectory()).toList()) {
        entries.put(entry.getName(), file.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }

  @Test
  void mutatedJarsAreRefusedOrLoaded() throws IOException {
    byte[] original =
        Files.readAllBytes(
            PluginJars.plugin("ring").provider("Ring", PROVIDER).write(directory, "original.jar"));
    Path jar = directory.resolve("mutated.jar");
    for (int i = 0; i < COUNT; i++) {
      Files.write(jar, mutated(original, new Random(SEED * 1_000_003 + i)));
      load(jar, "jar " + SEED + "/" + i);
    }
  }

  @Test
  void mutatedEntriesOfSoundJarsAreRefusedOrLoaded() throws IOException {
    Map<String, byte[]> entries = entries();
    String[] names = entries.keySet().toArray(String[]::new);
    Path jar = directory.resolve("mutated.jar");
    for (int i = 0; i < COUNT; i++) {
      Random random = new Random(SEED * 1_000_033 + i);
      String changed = names[random.nextInt(names.length)];
      ZipBytes zip = new ZipBytes();
      entries.forEach(
          (name, bytes) -> zip.stored(name, name.equals(changed) ? mutated(bytes, random) : bytes));
      zip.write(jar);
      load(jar, changed + " " + SEED + "/" + i);
    }
  }

  @Test
  void mutatedJournalsAreRefusedOrRead() throws IOException {
    Path state = directory.resolve("state");
    Path journal = state.resolve("journal.jsonl");
    try (PluginStore store = PluginStore.open(state, InstantSource.fixed(Instant.EPOCH))) {
      for (int i = 0; i < 20; i++) {
        store.record(new PluginEvent.Pinned("ring" + i % 3, "1." + i));
        store.record(new PluginEvent.Refused("", "環.jar", "TUTTI-401", "no\n\"jar\""));
      }
    }
    byte[] original = Files.readAllBytes(journal);
    for (int i = 0; i < COUNT; i++) {
      Files.write(journal, mutated(original, new Random(SEED * 1_000_037 + i)));
      assertThatCode(
              () -> {
                try (PluginStore store =
                    PluginStore.open(state, InstantSource.fixed(Instant.EPOCH))) {
                  assertThat(store.state().plugins().size()).isLessThan(10);
                } catch (TuttiException e) {
                  assertThat(e.getMessage()).contains("journal.jsonl");
                }
              })
          .as("journal " + SEED + "/" + i)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void mutatedTrustFilesAreRefusedOrRead() throws IOException {
    Path file = directory.resolve("trust");
    byte[] original =
        "# who\nalice MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < COUNT; i++) {
      Files.write(file, mutated(original, new Random(SEED * 1_000_039 + i)));
      assertThatCode(
              () -> {
                try {
                  assertThat(TrustedKeys.read(file).names()).isNotEmpty();
                } catch (TuttiException e) {
                  assertThat(e.getMessage()).contains("the trust file");
                }
              })
          .as("trust file " + SEED + "/" + i)
          .doesNotThrowAnyException();
    }
  }
}
