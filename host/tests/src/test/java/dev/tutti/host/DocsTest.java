package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/writing-a-plugin.md is compiled, packed and run. */
class DocsTest {

  @TempDir private Path directory;

  @Test
  void thePluginOfTheDocumentationRunsFromItsJar() throws IOException, URISyntaxException {
    Path page = Path.of("..", "..", "docs", "writing-a-plugin.md");
    assertThat(page).exists();
    String text = Files.readString(page);
    Path source = directory.resolve("src/org/example/StarBroadcast.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, block(text, "java"));
    Path out = directory.resolve("out");
    compile(source, out);
    Path manifest = out.resolve("META-INF/tutti/plugin.json");
    Files.createDirectories(manifest.getParent());
    Files.writeString(manifest, block(text, "json"));
    Path plugins = directory.resolve("plugins");
    Files.createDirectories(plugins);
    pack(out, plugins.resolve("star.jar"));

    try (Context context = Context.builder().pluginsDirectory(plugins).open();
        Group group = context.createGroup(5);
        Arena arena = Arena.ofShared()) {
      assertThat(context.plugins().problems()).isEmpty();
      MemorySegment[] inputs = new MemorySegment[5];
      MemorySegment[] outputs = new MemorySegment[5];
      for (int rank = 0; rank < 5; rank++) {
        outputs[rank] = arena.allocate(400, 8);
      }
      inputs[3] = arena.allocate(400, 8).fill((byte) 7);
      try (Request request =
          group
              .request(CollectiveCall.broadcast(DataType.INT32, 100, 3))
              .buffers(inputs, outputs)
              .algorithm("star")
              .build()) {
        request.run();
      }
      for (MemorySegment output : outputs) {
        assertThat(output.toArray(ValueLayout.JAVA_INT)).containsOnly(0x07070707);
      }
    }
  }

  private static String block(String text, String language) {
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
    assertThat(matcher.find()).as("a block of %s", language).isTrue();
    return matcher.group(1);
  }

  /**
   * Compiles as an author does: against sdk-api alone, whose processor writes the services file.
   */
  private static void compile(Path source, Path out) throws IOException, URISyntaxException {
    Files.createDirectories(out);
    Path api =
        Path.of(CollExecutorBase.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:full",
                "-cp",
                api.toString(),
                "-d",
                out.toString(),
                source.toString());
    assertThat(result).isZero();
    assertThat(out.resolve("META-INF/services/dev.tutti.sdk.CollExecutorBase"))
        .content()
        .isEqualToIgnoringNewLines("org.example.StarBroadcast");
  }

  private static void pack(Path content, Path jar) throws IOException {
    try (JarOutputStream stream = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(content)) {
      List<Path> regular = files.filter(Files::isRegularFile).sorted().toList();
      for (Path file : regular) {
        stream.putNextEntry(new JarEntry(content.relativize(file).toString()));
        stream.write(Files.readAllBytes(file));
        stream.closeEntry();
      }
    }
  }
}
