package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.template.AlgTemplate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and verifies what docs/writing-a-plugin.md shows, and looks for what it leaves out. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WritingPageTest {

  private static final Path PAGE = Path.of("..", "docs", "writing-a-plugin.md");
  private static final Path TUTORIAL = Path.of("..", "docs", "tutorial.md");
  private static final Path README = Path.of("..", "README.md");

  /** Has the templates in its classes, as the page says of projects of its style. */
  private static final GeneratedPlugin TEMPLATE_PROJECT =
      new GeneratedPlugin("all-reduce-template/project/ring-all-reduce", "1.0.0");

  /** Where authors ask for and emit something. */
  private static final List<Class<?>> SPI =
      List.of(
          CollExecutorBase.class,
          NativeExecutorBase.class,
          ExecMem.class,
          Stream.class,
          Link.class,
          SubCommInfo.class,
          OpCommTransport.Builder.class,
          AlgResourceRequest.class,
          AlgResourceResponse.class,
          AlgTemplate.class);

  /** What the author's code has no use for, or reads where the page says something else. */
  private static final Set<String> PASSED_OVER =
      Set.of("id", "remoteUserRank", "mem", "opTransport", "plane");

  @TempDir private Path directory;

  @Test
  void theClassesThatItShowsAreClean() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    copyTemplates(classes);
    List<String> sources = classes(PAGE);
    assertThat(sources).hasSize(3);
    PluginCompiler.compile(
        sources.stream().map(this::write).toList(),
        List.of(PluginCompiler.SDK.getFirst(), classes),
        classes,
        "-proc:full");
    Path manifest = classes.resolve("META-INF/tutti/plugin.json");
    Files.createDirectories(manifest.getParent());
    Files.writeString(manifest, only(PAGE, "json"));
    PluginCompiler.pack(classes, directory.resolve("page.jar"));

    try (Tutti tutti = new Tutti(directory)) {
      assertThat(tutti.succeed("verify", "page.jar")).contains("✓ 3 algorithms clean");
    }
  }

  private void copyTemplates(Path classes) throws IOException {
    Path templates = Path.of("dev/tutti/plugins/template");
    Path from = TEMPLATE_PROJECT.classes().resolve(templates);
    Path to = Files.createDirectories(classes.resolve(templates));
    try (java.util.stream.Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private Path write(String source) {
    String name = source.replaceFirst("(?s).*public final class (\\w+) .*", "$1");
    try {
      return Files.writeString(directory.resolve(name + ".java"), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void itNamesAllThatAnAuthorCanSay() throws IOException {
    String page = Files.readString(PAGE);
    Set<String> missing = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    for (Class<?> type : SPI) {
      for (Method method : type.getDeclaredMethods()) {
        boolean isApi = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
        if (isApi && !method.isSynthetic() && !isOfObject(method)) {
          seen.add(method.getName());
          if (!Pattern.compile("`[^`\n]*\\b" + method.getName() + "\\b").matcher(page).find()) {
            missing.add(method.getName());
          }
        }
      }
    }
    missing.removeAll(recordFields());
    missing.removeAll(PASSED_OVER);
    assertThat(seen).hasSizeGreaterThan(90).contains("txPrepare", "reduceFrom", "calcCommInfo");
    assertThat(missing).as("methods that the page does not name").isEmpty();
  }

  private static boolean isOfObject(Method method) {
    return Arrays.stream(Object.class.getMethods())
        .anyMatch(known -> known.getName().equals(method.getName()));
  }

  /** What a request holds, the page names by the methods that set it. */
  private static Set<String> recordFields() {
    Set<String> names = new TreeSet<>();
    for (var component : AlgResourceRequest.class.getRecordComponents()) {
      names.add(component.getName());
    }
    return names;
  }

  @Test
  void itCountsLinesRightly() throws IOException {
    long ofTemplates =
        classes(PAGE).stream()
            .filter(source -> source.contains("RingAllReduce"))
            .mapToLong(TutorialCode::lines)
            .findFirst()
            .orElseThrow();
    String tutorial = Files.readString(TUTORIAL);
    long explicit = TutorialCode.lines(TutorialCode.of(Page.parse(tutorial)).mended());

    assertThat(Files.readString(PAGE))
        .contains("ring all-reduce in " + ofTemplates + " lines")
        .contains("without templates, in " + explicit + " lines");
    assertThat(Files.readString(README))
        .contains("%d lines, or %d".formatted(explicit, ofTemplates));
  }

  private static List<String> classes(Path page) throws IOException {
    return blocks(page, "java").stream().filter(block -> block.startsWith("package ")).toList();
  }

  private static String only(Path page, String language) throws IOException {
    List<String> found = blocks(page, language);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<String> blocks(Path page, String language) throws IOException {
    return Page.parse(Files.readString(page)).stream()
        .filter(part -> part.language().equals(language))
        .map(Page.Part::text)
        .toList();
  }
}
