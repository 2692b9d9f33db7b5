package dev.tutti.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;

/** Reads the classes of a plugin. */
final class PluginClasses {

  private PluginClasses() {}

  /**
   * The classes of a directory or jar.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are none, because a
   *     check of no classes must not pass
   */
  static JavaClasses in(Path place) {
    if (!Files.exists(place)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the classes of a plugin must lie in a directory or a jar. Actual: there is no %s; compile"
              + " them first",
          place);
    }
    JavaClasses classes =
        Files.isDirectory(place) ? new ClassFileImporter().importPath(place) : ofJar(place);
    if (classes.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "there is no class in %s; give the directory that holds the packages, or the plugin's jar",
          place);
    }
    return classes;
  }

  private static JavaClasses ofJar(Path place) {
    try (JarFile jar = new JarFile(place.toFile())) {
      return new ClassFileImporter().importJar(jar);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "%s cannot be read as a jar: %s", place, e.getMessage());
    }
  }
}
