package dev.tutti.verifier.purity;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Finds the enums among the classes of a plugin. */
final class PluginEnums {

  private static final byte[] SUPERCLASS = "java/lang/Enum".getBytes(StandardCharsets.UTF_8);
  private static final String SUFFIX = ".class";

  private PluginEnums() {}

  /** The jar or the directory of a class, if its loader reports it. */
  static Optional<Path> locationOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * The enums of a jar or a directory; enums that cannot be read or loaded are left out, because
   * plans that need them fail anyway.
   */
  static List<Class<? extends Enum<?>>> in(Path location, ClassLoader loader) {
    try {
      return Files.isDirectory(location) ? inDirectory(location, loader) : inJar(location, loader);
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Reads a jar as a zip file. The file system for jars is in a module that a host does not have.
   */
  private static List<Class<? extends Enum<?>>> inJar(Path file, ClassLoader loader)
      throws IOException {
    List<Class<? extends Enum<?>>> enums = new ArrayList<>();
    try (ZipFile jar = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(SUFFIX)) {
          try (InputStream content = jar.getInputStream(entry)) {
            load(entry.getName(), content.readAllBytes(), loader).ifPresent(enums::add);
          }
        }
      }
    }
    return enums;
  }

  private static List<Class<? extends Enum<?>>> inDirectory(Path root, ClassLoader loader)
      throws IOException {
    List<Class<? extends Enum<?>>> enums = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.relativize(file).toString();
        if (name.endsWith(SUFFIX)) {
          load(name, Files.readAllBytes(file), loader).ifPresent(enums::add);
        }
      }
    }
    return enums;
  }

  private static boolean names(byte[] content, byte[] text) {
    for (int at = 0; at <= content.length - text.length; at++) {
      if (Arrays.equals(content, at, at + text.length, text, 0, text.length)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Class<? extends Enum<?>>> load(
      String file, byte[] content, ClassLoader loader) {
    if (!names(content, SUPERCLASS)) {
      return Optional.empty();
    }
    String name = file.substring(0, file.length() - SUFFIX.length());
    try {
      Class<?> type = Class.forName(name.replace('/', '.').replace('\\', '.'), false, loader);
      if (!type.isEnum()) {
        return Optional.empty();
      }
      // The cast is safe: every enum class is an enum of itself.
      @SuppressWarnings("unchecked")
      Class<? extends Enum<?>> found = (Class<? extends Enum<?>>) type;
      return Optional.of(found);
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }
}
