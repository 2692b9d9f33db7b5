package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jars that would take a reader's time or memory although they are small, or that are not. */
@Timeout(600)
final class JarBombsTest {

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("bomb.jar");
  }

  private PluginJar read(ZipBytes zip) {
    return PluginJar.read(zip.write(file()));
  }

  @Test
  void aServicesFileOfVeryManyNamesIsRefused() {
    String names =
        IntStream.range(0, 200_000).mapToObj(i -> "a.B" + i).collect(Collectors.joining("\n"));
    PluginJar large =
        read(new ZipBytes().stored(PluginJar.SERVICES, names.getBytes(StandardCharsets.UTF_8)));
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, large::providers))
        .isEqualTo("its " + PluginJar.SERVICES + " has more than 65536 bytes");

    String some =
        IntStream.range(0, 1_001).mapToObj(i -> "B" + i).collect(Collectors.joining("\n"));
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_UNREADABLE,
                read(new ZipBytes().entry(PluginJar.SERVICES, some))::providers))
        .contains("names 1001 providers; at most 1000 are allowed");
  }

  @Test
  void aServicesFileOfOneLongNameIsRefused() {
    ZipBytes zip = new ZipBytes().stored(PluginJar.SERVICES, filled(50 << 20));

    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, read(zip)::providers))
        .contains("has more than 65536 bytes");
  }

  private static byte[] filled(int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) 'a');
    return bytes;
  }

  @Test
  void aPluginManifestThatIsLargeOrDeepOrFullOfNonsenseIsRefusedInFewWords() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_UNREADABLE,
                read(new ZipBytes().stored(PluginManifest.PATH, filled(1 << 20)))::manifest))
        .contains("has more than 65536 bytes");
    ManifestReader reader = new ManifestReader();
    String many =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "\"f" + i + "\":" + i)
            .collect(Collectors.joining(",", "{", "}"));
    for (String json :
        new String[] {
          "[".repeat(60_000),
          "{\"a\":".repeat(10_000),
          "{\"id\":" + "9".repeat(60_000) + "}",
          "{\"id\":\"" + "x".repeat(60_000) + "\",\"version\":\"1.0\",\"sdk\":\"[0.1,1.0)\"}",
          "{\"id\":\"a\",\"version\":\"1." + "9".repeat(60_000) + "\",\"sdk\":\"[0.1,1.0)\"}",
          "{\"id\":\"a\",\"version\":\"1.0\",\"sdk\":\"[" + "0,".repeat(30_000) + ")\"}",
          "{\"" + "k".repeat(60_000) + "\":1}",
          "{\"id\":1,\"id\":2}",
          many,
        }) {
      assertThat(
              Errors.message(
                  ErrorCode.PLUGIN_MANIFEST,
                  () -> reader.read(json.getBytes(StandardCharsets.UTF_8))))
          .hasSizeLessThan(12_000);
    }
  }

  @Test
  void ofAManifestOfManySectionsOnlyTheFirstIsRead() {
    String sections =
        IntStream.range(0, 100_000)
            .mapToObj(i -> "Name: a/B" + i + ".class\r\nX: y\r\n\r\n")
            .collect(Collectors.joining());
    ZipBytes zip =
        new ZipBytes()
            .stored(
                JarFile.MANIFEST_NAME,
                ("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n" + sections)
                    .getBytes(StandardCharsets.UTF_8))
            .entry("a.txt", "old")
            .entry("META-INF/versions/9/a.txt", "new");
    assertThat(read(zip).find("a.txt")).asString().isEqualTo("new");

    ZipBytes endless =
        new ZipBytes()
            .stored(JarFile.MANIFEST_NAME, filled(1 << 20))
            .entry("META-INF/versions/9/a.txt", "new");
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> read(endless)))
        .isEqualTo("its META-INF/MANIFEST.MF has more than 65536 bytes");
  }

  @Test
  void aCommentThatLooksLikeATableOfContentsIsRefused() throws IOException {
    byte[] plain = new ZipBytes().entry("a", "b").bytes();
    byte[] inner = new ZipBytes().bytes();
    byte[] both = Arrays.copyOf(plain, plain.length + inner.length);
    System.arraycopy(inner, 0, both, plain.length, inner.length);
    both[plain.length - 2] = (byte) inner.length;
    Files.write(file(), both);
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(file())))
        .isNotEmpty();

    // The mark alone, so that only the outer record reaches to the end of the file.
    byte[] marked = Arrays.copyOf(plain, plain.length + 6);
    System.arraycopy(inner, 0, marked, plain.length, 4);
    marked[plain.length - 2] = 6;
    Files.write(file(), marked);
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(file())))
        .contains("its comment looks like another table of contents");

    byte[] commented = Arrays.copyOf(plain, plain.length + 3);
    commented[plain.length - 2] = 3;
    Files.write(file(), commented);
    assertThat(PluginJar.read(file()).find("a")).asString().isEqualTo("b");
  }

  @Test
  void aLargeFileIsRefusedByItsSizeAndLongNamesAreCut() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
      file.setLength(8L << 30);
    }
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(file())))
        .startsWith("it is larger than 64 MiB");
    Files.delete(file());

    ZipBytes zip = new ZipBytes().entry("/" + "x".repeat(60_000), "");
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> read(zip))).hasSizeLessThan(400);
  }
}
