package dev.tutti.testkit.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** The classes of a directory of compiled tests. */
final class TestClasses {

  /** The names of test classes that builds run unless told otherwise. */
  private static final Pattern USUAL =
      Pattern.compile("(?:.*\\.)?(?:Test.*|.*(?:Test|Tests|TestCase))");

  private TestClasses() {}

  /** The directory that a class was loaded from; empty if it came from elsewhere. */
  static Optional<Path> directoryOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isDirectory);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** All classes of a directory that can be loaded, by name; none is initialised. */
  static List<Class<?>> in(Path directory, ClassLoader loader) {
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names(directory)) {
      try {
        classes.add(Class.forName(name, false, loader));
      } catch (ClassNotFoundException | LinkageError e) {
        // A class that cannot be loaded has no tests; its own test engine reports it.
      }
    }
    return classes;
  }

  private static List<String> names(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .map(file -> directory.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()))
          .map(file -> file.replace('/', '.').replace('\\', '.'))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the classes of " + directory, e);
    }
  }

  /** Whether JUnit would find tests in a class. */
  static boolean hasTests(Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers()) || type.isMemberClass()) {
      return false;
    }
    try {
      return !AnnotationSupport.findAnnotatedMethods(
                  type, Testable.class, HierarchyTraversalMode.TOP_DOWN)
              .isEmpty()
          || !AnnotationSupport.findAnnotatedFields(type, Testable.class).isEmpty();
    } catch (LinkageError e) {
      return false;
    }
  }

  /** The first class with tests; a class with a usual test name goes before others. */
  static Optional<Class<?>> first(List<Class<?>> classes) {
    List<Class<?>> tests = classes.stream().filter(TestClasses::hasTests).toList();
    return tests.stream()
        .filter(type -> USUAL.matcher(type.getName()).matches())
        .findFirst()
        .or(() -> tests.stream().findFirst());
  }
}
