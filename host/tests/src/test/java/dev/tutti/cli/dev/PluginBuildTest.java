package dev.tutti.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class PluginBuildTest {

  private static final ProjectPom POM = new ProjectPom(Map.of(), false, false);

  @TempDir private Path directory;

  private Path write(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private PluginBuild.Result build(String project, List<Path> libraries) throws IOException {
    ProjectFiles files = ProjectFiles.read(directory.resolve(project));
    return new PluginBuild(files, POM, libraries)
        .run(Files.createTempDirectory(directory, "classes"));
  }

  private Path library(String name, String code, List<Path> libraries) throws IOException {
    write(name + "/src/main/java/" + name + "/Lib.java", "package " + name + "; " + code);
    write(name + "/src/main/resources/META-INF/of-a-library.txt", "");
    Path jar = directory.resolve(name + ".jar");
    PluginBuild.Result result = build(name, libraries);
    NavigableMap<String, byte[]> own = new TreeMap<>(result.entries());
    own.keySet().removeIf(entry -> entry.endsWith(".class") && !entry.startsWith(name + "/"));
    new PluginBuild.Result(own, result.messages()).write(jar);
    return jar;
  }

  @Test
  void theJarCarriesTheLibrariesThatItsClassesUseDirectlyOrNot() throws IOException {
    Path deep =
        library("deep", "public class Lib { public static int x() { return 1; } }", List.of());
    Path used =
        library(
            "used",
            "public class Lib { public static int x() { return deep.Lib.x(); } }",
            List.of(deep));
    Path idle = library("idle", "public class Lib {}", List.of());
    write("own/src/main/java/own/Own.java", "package own; class Own { int x = used.Lib.x(); }");
    write("own/src/main/resources/own.txt", "text");

    PluginBuild.Result result = build("own", List.of(deep, idle, used));

    assertThat(result.messages().lines()).isEmpty();
    assertThat(result.entries().keySet())
        .containsExactly(
            "META-INF/MANIFEST.MF", "deep/Lib.class", "own.txt", "own/Own.class", "used/Lib.class");
  }

  @Test
  void equalFilesMakeEqualJars() throws IOException {
    write("own/src/main/java/own/Own.java", "package own; class Own {}");
    Path first = directory.resolve("first.jar");
    Path second = directory.resolve("second.jar");

    build("own", List.of()).write(first);
    build("own", List.of()).write(second);

    assertThat(first).hasSameBinaryContentAs(second);
  }

  @Test
  void valuesTakeThePlaceOfTheirNamesInTextsOnly() throws IOException {
    write("own/src/main/java/own/Own.java", "package own; class Own {}");
    write("own/src/main/resources/text.txt", "${x}");
    byte[] binary = {'$', '{', 'x', '}', (byte) 0xff};
    Files.write(directory.resolve("own/src/main/resources/binary"), binary);
    ProjectFiles files = ProjectFiles.read(directory.resolve("own"));

    Map<String, byte[]> entries =
        new PluginBuild(files, new ProjectPom(Map.of("x", "é"), false, true), List.of())
            .run(Files.createDirectory(directory.resolve("out")))
            .entries();

    assertThat(entries.get("text.txt")).isEqualTo("é".getBytes(StandardCharsets.UTF_8));
    assertThat(entries.get("binary")).isEqualTo(binary);
  }

  @Test
  void theProjectsOwnMavenNamesTheClassPath() throws IOException {
    Path project = Files.createDirectory(directory.resolve("project"));
    Path mvnw = project.resolve("mvnw");
    Files.writeString(
        mvnw,
        """
        #!/bin/sh
        for each; do
          case $each in -Dmdep.outputFile=*) echo "a.jar:$PWD/b.jar" >"${each#*=}" ;; esac
        done
        """);
    assertThat(mvnw.toFile().setExecutable(true)).isTrue();

    assertThat(MavenClassPath.ask(project, directory, () -> false))
        .containsExactly(Path.of("a.jar"), project.toRealPath().resolve("b.jar"));

    Files.writeString(mvnw, "#!/bin/sh\necho '[INFO] x'\necho '[ERROR] no such jar'\nexit 1\n");
    assertThatThrownBy(() -> MavenClassPath.ask(project, directory, () -> false))
        .isInstanceOf(TuttiException.class)
        .hasMessageEndingWith("'./mvnw verify' works in the project: no such jar");

    Files.writeString(mvnw, "#!/bin/sh\nexec sleep 1000\n");
    assertThat(MavenClassPath.ask(project, directory, () -> true)).isEmpty();
  }
}
