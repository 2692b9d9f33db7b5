package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jars that are refused before any of their contents is trusted. */
final class PluginJarTest {

  @TempDir private Path directory;

  private PluginJar read(ZipBytes zip) {
    return PluginJar.read(zip.write(directory.resolve("a.jar")));
  }

  private String refusal(ZipBytes zip) {
    return Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> read(zip).checkData());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void entriesAreUnpackedWhetherPackedOrStored() {
    PluginJar jar =
        read(
            new ZipBytes()
                .entry("a/b.txt", "packed")
                .stored("c.txt", "stored".getBytes(StandardCharsets.UTF_8))
                .entry("empty", ""));
    jar.checkData();
    assertThat(text(jar.find("a/b.txt"))).isEqualTo("packed");
    assertThat(text(jar.find("c.txt"))).isEqualTo("stored");
    assertThat(jar.find("empty")).isEmpty();
    assertThat(jar.find("d.txt")).isNull();
  }

  @Test
  void namesInAnyScriptAreFine() {
    for (String name : new String[] {"α/β.txt", "データ/一.txt", "مرحبا", "🎻/🎺.class", "a b/c'd"}) {
      assertThat(read(new ZipBytes().entry(name, name)).find(name)).asString().isEqualTo(name);
    }
  }

  @Test
  void theHashIsThatOfTheFile() {
    PluginJar jar = read(new ZipBytes().entry("a", ""));
    assertThat(jar.sha256()).hasSize(64).isEqualTo(read(new ZipBytes().entry("a", "")).sha256());
    assertThat(jar.sha256()).isNotEqualTo(read(new ZipBytes().entry("b", "")).sha256());
  }

  @Test
  void aJarThatChangesAfterReadingDoesNotMatter() throws IOException {
    PluginJar jar = read(new ZipBytes().entry("a", "old"));
    String hash = jar.sha256();
    Files.write(jar.file(), new byte[0]);
    assertThat(text(jar.find("a"))).isEqualTo("old");
    assertThat(jar.sha256()).isEqualTo(hash);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "a/../b", "a/..", "..", ".", "./a", "a//b", "a/./b"})
  void namesThatLeadElsewhereAreRefused(String name) {
    assertThat(refusal(new ZipBytes().entry(name, "x")))
        .isEqualTo("its entry '" + name + "' has an empty, '.' or '..' part; build it again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "C:/a", "c:a"})
  void absoluteNamesAreRefused(String name) {
    assertThat(refusal(new ZipBytes().entry(name, "x")))
        .isEqualTo("its entry '" + name + "' has an absolute name; build it again");
  }

  @Test
  void backslashesAreRefused() {
    assertThat(refusal(new ZipBytes().entry("a\\b", "x")))
        .isEqualTo("its entry 'a\\b' has a backslash or a zero in its name; build it again");
  }

  @Test
  void twoEntriesOfOneNameAreRefused() {
    assertThat(refusal(new ZipBytes().entry("a", "x").entry("a", "y")))
        .isEqualTo("it has two entries of the name 'a'; build it again");
  }

  @Test
  void entriesThatShareBytesAreRefused() {
    assertThat(refusal(new ZipBytes().entry("a", "x").overlapping()))
        .isEqualTo("its entries 'a' and 'a' overlap; make a plain jar");
  }

  @Test
  void anEntryThatHasTwoNamesIsRefused() {
    assertThat(refusal(new ZipBytes().renamed("x", "a", "x")))
        .contains("its entry 'a' differs from the one in the table of contents");
  }

  @Test
  void aBombThatSaysSoIsRefusedWithoutUnpackingIt() {
    ZipBytes bomb = new ZipBytes().entry("zeros", "\0".repeat(20 << 20));
    assertThat(refusal(bomb)).startsWith("it unpacks to 20971520 bytes; a jar of ");
  }

  @Test
  void aBombThatHidesItsSizeIsRefused() {
    assertThat(refusal(new ZipBytes().saying("zeros", new byte[20 << 20], 100)))
        .contains("the data of its entry 'zeros' does not match its header");
  }

  @Test
  void anEntryThatIsShorterThanItSaysIsRefused() {
    assertThat(refusal(new ZipBytes().saying("a", new byte[10], 11)))
        .contains("the data of its entry 'a' does not match its header");
  }

  @Test
  void tooManyEntriesAreRefused() {
    ZipBytes zip = new ZipBytes();
    for (int i = 0; i <= JarEntries.MAX_ENTRIES; i++) {
      zip.stored("e" + i, new byte[0]);
    }
    assertThat(refusal(zip)).isEqualTo("it has 20001 entries; at most 20000 are allowed");
  }

  @Test
  void everyTruncationIsNoticed() throws IOException {
    byte[] whole = new ZipBytes().entry("a.txt", "some text").entry("b.txt", "more").bytes();
    Path file = directory.resolve("cut.jar");
    for (int length = 1; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(file)))
          .as("cut after %d of %d bytes", length, whole.length)
          .startsWith("it is not a jar, or it is damaged or not copied to its end (");
    }
  }

  @Test
  void noFlippedByteLeadsToAnythingButARefusalOrTheSameContent() throws IOException {
    byte[] whole = new ZipBytes().entry("a.txt", "some text").bytes();
    Path file = directory.resolve("flipped.jar");
    for (int at = 0; at < whole.length; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x41;
      Files.write(file, flipped);
      assertRefusedOrTheSame(file, at);
    }
  }

  private static void assertRefusedOrTheSame(Path file, int at) {
    try {
      PluginJar jar = PluginJar.read(file);
      jar.checkData();
      byte[] found = jar.find("a.txt");
      assertThat(found == null ? "some text" : text(found))
          .as("byte %d", at)
          .isEqualTo("some text");
    } catch (TuttiException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE);
    }
  }

  @Test
  void linksAreFollowedAndBrokenOnesNamed() throws IOException {
    Path jar = new ZipBytes().entry("a", "x").write(directory.resolve("a.jar"));
    Path link = Files.createSymbolicLink(directory.resolve("link.jar"), jar);
    assertThat(PluginJar.read(link).find("a")).isNotNull();
    Files.delete(jar);
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(link)))
        .isEqualTo("it is a link to a file that does not exist");
    assertThat(Errors.message(ErrorCode.PLUGIN_UNREADABLE, () -> PluginJar.read(jar)))
        .isEqualTo("it does not exist");
  }

  @Test
  void ofAMultiReleaseJarTheNewestVersionForThisJvmCounts() {
    ZipBytes zip =
        new ZipBytes()
            .entry("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n")
            .entry("a", "base")
            .entry("META-INF/versions/9/a", "nine")
            .entry("META-INF/versions/21/a", "twenty-one")
            .entry("META-INF/versions/999/a", "far")
            .entry("META-INF/versions/11/b", "only in eleven");
    PluginJar jar = read(zip);
    assertThat(text(jar.find("a"))).isEqualTo("twenty-one");
    assertThat(text(jar.find("b"))).isEqualTo("only in eleven");
  }

  @Test
  void versionsOfAPlainJarAreOrdinaryFiles() {
    PluginJar jar =
        read(new ZipBytes().entry("a", "base").entry("META-INF/versions/21/a", "twenty-one"));
    assertThat(text(jar.find("a"))).isEqualTo("base");
  }
}
