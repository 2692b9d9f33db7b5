package dev.tutti.cli.dev;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes the jar of a plugin as the project's Maven does: the compiled sources, the services file
 * that the annotation processor of the SPI writes, the resources, and the libraries that the
 * classes refer to. The compiler runs in this process.
 *
 * @param files the files to build
 * @param pom the project's pom.xml
 * @param libraries the class path without the SPI
 */
record PluginBuild(ProjectFiles files, ProjectPom pom, List<Path> libraries) {

  private static final String CLASS = ".class";
  private static final String SPI_CLASS = CollExecutorBase.class.getName().replace('.', '/');

  /** The time of all entries is fixed, so that equal builds have equal jars. */
  private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

  /**
   * A jar, or the reason why there is none.
   *
   * @param entries the entries of the jar, by name; empty if the sources do not compile
   * @param messages the messages of the compiler
   */
  record Result(NavigableMap<String, byte[]> entries, CompilerMessages messages) {

    boolean isBuilt() {
      return !entries.isEmpty();
    }

    /** The classes, by their names with slashes. */
    Map<String, byte[]> classes() {
      return PluginBuild.classes(entries);
    }

    /**
     * Writes the jar, and replaces an existing one.
     *
     * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
     */
    void write(Path jar) {
      try {
        Files.createDirectories(jar.getParent());
        Path part = Files.createTempFile(jar.getParent(), ".", ".part");
        try {
          try (OutputStream file = Files.newOutputStream(part);
              JarOutputStream target = new JarOutputStream(file)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
              JarEntry entry = new JarEntry(each.getKey());
              entry.setTimeLocal(ENTRY_TIME);
              target.putNextEntry(entry);
              target.write(each.getValue());
            }
          }
          Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
        } finally {
          Files.deleteIfExists(part);
        }
      } catch (IOException e) {
        throw new TuttiException(
            ErrorCode.OUTPUT_UNWRITABLE, e, "cannot write %s (%s)", jar, DiskProblem.of(jar, e));
      }
    }
  }

  /**
   * The compiler of this JVM.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if it has none
   */
  private static JavaCompiler compiler() {
    JavaCompiler compiler =
        ModuleLayer.boot().findModule("jdk.compiler").isPresent()
            ? ToolProvider.getSystemJavaCompiler()
            : null;
    if (compiler == null) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "this Java (%s) has no compiler (module jdk.compiler); start tutti with a full JDK 25,"
              + " for example through JAVA_HOME",
          System.getProperty("java.home"));
    }
    return compiler;
  }

  /**
   * Refuses a JVM without a compiler.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED}
   */
  static void requireCompiler() {
    JavaCompiler _ = compiler();
  }

  /**
   * Builds.
   *
   * @param directory an empty directory for class files
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if a file cannot be read
   */
  Result run(Path directory) {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try {
      boolean isCompiled = compile(directory, found);
      CompilerMessages messages = new CompilerMessages(files.root(), found.getDiagnostics());
      if (!isCompiled) {
        return new Result(new TreeMap<>(), messages);
      }
      NavigableMap<String, byte[]> entries = read(directory);
      entries.put(
          JarFile.MANIFEST_NAME, "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      addResources(entries);
      addLibraries(entries);
      return new Result(entries, messages);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          e,
          "%s cannot be built (%s); see that all its files can be read",
          files.root().toAbsolutePath().normalize(),
          e);
    }
  }

  private boolean compile(Path directory, DiagnosticCollector<JavaFileObject> found)
      throws IOException {
    JavaCompiler compiler = compiler();
    Path spi = spi();
    String classPath =
        Stream.concat(Stream.of(spi), libraries.stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    boolean isModule = files.sources().stream().anyMatch(file -> file.endsWith("module-info.java"));
    List<String> options =
        List.of(
            "--release",
            "25",
            "-encoding",
            "UTF-8",
            "-g",
            "-Xlint:deprecation,removal,unchecked",
            "-proc:full",
            "--processor-path",
            spi.toString(),
            isModule ? "--module-path" : "--class-path",
            classPath,
            "-d",
            directory.toString());
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      return compiler
          .getTask(
              Writer.nullWriter(),
              manager,
              found,
              options,
              null,
              manager.getJavaFileObjectsFromPaths(
                  files.sources().stream().map(Path::toAbsolutePath).toList()))
          .call();
    }
  }

  /** The place of the SPI classes that this process uses. */
  private static Path spi() {
    try {
      return Path.of(
          CollExecutorBase.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the location of a jar is a URI", e);
    }
  }

  private static NavigableMap<String, byte[]> read(Path directory) throws IOException {
    NavigableMap<String, byte[]> entries = new TreeMap<>();
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.filter(Files::isRegularFile).toList();
    }
    for (Path file : all) {
      entries.put(entryName(directory, file), Files.readAllBytes(file));
    }
    return entries;
  }

  private static String entryName(Path directory, Path file) {
    return directory.relativize(file).toString().replace(File.separatorChar, '/');
  }

  /** Adds the resources; they replace files of the annotation processor with the same names. */
  private void addResources(NavigableMap<String, byte[]> entries) throws IOException {
    for (Path file : files.resources()) {
      byte[] content = Files.readAllBytes(file);
      entries.put(
          entryName(files.resourceDirectory(), file), pom.isFiltered() ? filled(content) : content);
    }
  }

  private byte[] filled(byte[] content) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return pom.filled(text).getBytes(StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      // The file is not text.
      return content;
    }
  }

  /** Adds the libraries that the plugin uses, because it sees only the SPI and its own jar. */
  private void addLibraries(NavigableMap<String, byte[]> entries) throws IOException {
    List<NavigableMap<String, byte[]>> others = new ArrayList<>();
    NavigableMap<String, byte[]> all = new TreeMap<>();
    for (Path library : libraries) {
      NavigableMap<String, byte[]> content = readLibrary(library);
      if (!content.containsKey(SPI_CLASS + CLASS)) {
        others.add(content);
        content.forEach(all::putIfAbsent);
      }
    }
    if (others.isEmpty()) {
      return;
    }
    Set<String> own = classes(entries).keySet();
    entries.forEach(all::put);
    Set<String> needed = new ClassReferences(classes(all)).reachable(own);
    for (NavigableMap<String, byte[]> each : others) {
      if (classes(each).keySet().stream()
          .anyMatch(name -> needed.contains(name) && !own.contains(name))) {
        each.forEach(entries::putIfAbsent);
      }
    }
  }

  private static NavigableMap<String, byte[]> readLibrary(Path library) throws IOException {
    NavigableMap<String, byte[]> entries = new TreeMap<>();
    if (Files.isDirectory(library)) {
      entries.putAll(read(library));
    } else if (library.toString().endsWith(".jar")) {
      try (JarFile jar = new JarFile(library.toFile())) {
        for (JarEntry each : jar.stream().filter(entry -> !entry.isDirectory()).toList()) {
          entries.put(each.getName(), jar.getInputStream(each).readAllBytes());
        }
      }
    }
    entries
        .keySet()
        .removeIf(name -> name.startsWith("META-INF/") || name.equals("module-info.class"));
    return entries;
  }

  private static Map<String, byte[]> classes(NavigableMap<String, byte[]> entries) {
    Map<String, byte[]> classes = new TreeMap<>();
    entries.forEach(
        (name, content) -> {
          if (name.endsWith(CLASS)) {
            classes.put(name.substring(0, name.length() - CLASS.length()), content);
          }
        });
    return classes;
  }

  /** Advice if the sources do not compile although they may be correct. */
  String advice() {
    return Files.exists(files.pom())
        ? ""
        : Sentence.of(
            "note: there is no %s, so only tutti-sdk-api is on the class path",
            files.pom().toAbsolutePath().normalize());
  }
}
