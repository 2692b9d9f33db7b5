package dev.tutti.sdk.processor;

import static java.util.stream.Collectors.groupingBy;

import dev.tutti.sdk.CollExecutorBase;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.processing.Filer;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.FileObject;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * The list of providers in the class output: sorted binary names, one per line.
 *
 * <p>An incremental compilation sees only some of the sources. So names from earlier compilations
 * stay while the class exists and is a provider.
 */
final class ServicesFile {

  private static final String PATH = "META-INF/services/" + CollExecutorBase.class.getName();

  private final String location;
  private final Filer filer;
  private final Elements elements;
  private final ProviderRules rules;

  /**
   * A services file, which need not exist.
   *
   * @param location the root of the class output, as the {@link Filer} expects it: empty, or a
   *     module name and a slash if there is one output per module
   */
  private ServicesFile(String location, ProcessingEnvironment environment, ProviderRules rules) {
    this.location = location;
    this.filer = environment.getFiler();
    this.elements = environment.getElementUtils();
    this.rules = rules;
  }

  /** Updates the file, or one file per module. */
  static void update(
      List<Algorithm> algorithms,
      ProcessingEnvironment environment,
      ProviderRules rules,
      Findings findings) {
    Elements elements = environment.getElementUtils();
    List<TypeElement> types = algorithms.stream().map(Algorithm::type).toList();
    Map<String, List<TypeElement>> byLocation =
        hasOutputPerModule(environment.getFiler())
            ? types.stream().collect(groupingBy(type -> elements.getModuleOf(type) + "/"))
            : Map.of("", types);
    try {
      for (Map.Entry<String, List<TypeElement>> entry : byLocation.entrySet()) {
        new ServicesFile(entry.getKey(), environment, rules).update(entry.getValue());
      }
    } catch (IOException e) {
      findings.error(
          new Problem(
              "the services file must be readable and writable",
              PATH + " in the class output is not: " + e,
              "check the output directory"));
    }
  }

  /** With {@code --module-source-path}, javac refuses a location that names no module. */
  private static boolean hasOutputPerModule(Filer filer) {
    try {
      filer.getResource(StandardLocation.CLASS_OUTPUT, "", PATH);
      return false;
    } catch (FilerException e) {
      return true;
    } catch (IOException e) {
      // Reading the file fails as well, and reports the error.
      return false;
    }
  }

  /** Adds providers and removes stale names. Writes the file only if it changes. */
  private void update(List<TypeElement> providers) throws IOException {
    NavigableSet<String> present = read();
    NavigableSet<String> wanted = new TreeSet<>(present);
    wanted.removeIf(name -> !isProvider(name));
    providers.forEach(type -> wanted.add(elements.getBinaryName(type).toString()));
    if (!wanted.equals(present)) {
      write(wanted, providers);
    }
  }

  private NavigableSet<String> read() throws IOException {
    try (InputStream in =
        filer.getResource(StandardLocation.CLASS_OUTPUT, location, PATH).openInputStream()) {
      Stream<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
      NavigableSet<String> names = new TreeSet<>();
      lines.map(line -> line.replaceFirst("#.*", "").strip()).forEach(names::add);
      names.remove("");
      return names;
    } catch (FileNotFoundException | NoSuchFileException e) {
      return new TreeSet<>();
    }
  }

  private void write(NavigableSet<String> names, List<TypeElement> origins) throws IOException {
    FileObject file =
        filer.createResource(
            StandardLocation.CLASS_OUTPUT, location, PATH, origins.toArray(TypeElement[]::new));
    try (OutputStream out = file.openOutputStream()) {
      for (String name : names) {
        out.write((name + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private boolean isProvider(String binaryName) {
    if (!SourceVersion.isName(binaryName)) {
      return false;
    }
    @Nullable TypeElement type = type(binaryName);
    return type == null
        ? hasClassFile(binaryName)
        : Algorithm.of(type).isPresent() && rules.problems(type).isEmpty();
  }

  private @Nullable TypeElement type(String binaryName) {
    @Nullable TypeElement type = elements.getTypeElement(binaryName);
    return type == null ? elements.getTypeElement(binaryName.replace('$', '.')) : type;
  }

  /** Whether the class output contains the class; it may be absent from the class path. */
  private boolean hasClassFile(String binaryName) {
    String path = binaryName.replace('.', '/') + ".class";
    try (InputStream in =
        filer.getResource(StandardLocation.CLASS_OUTPUT, location, path).openInputStream()) {
      return in.read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }
}
