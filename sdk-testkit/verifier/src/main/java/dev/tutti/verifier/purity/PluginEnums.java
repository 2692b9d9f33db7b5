package dev.tutti.verifier.purity;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the enums among the classes of a plugin. */
final class PluginEnums {

  private static final byte[] SUPERCLASS = "java/lang/Enum".getBytes(StandardCharsets.UTF_8);
  private static final String SUFFIX = ".class";

  private PluginEnums() {}

  /** The jar or the directory that a class is from, if its loader says so. */
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
   * The enums of a jar or a directory; those that cannot be read or loaded are left out, because
   * plans that need them fail by themselves.
   */
  static List<Class<? extends Enum<?>>> in(Path location, ClassLoader loader) {
    try {
      if (Files.isDirectory(location)) {
        return inDirectory(location, loader);
      }
      try (FileSystem jar = FileSystems.newFileSystem(location)) {
        return inDirectory(jar.getPath("/"), loader);
      }
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<Class<? extends Enum<?>>> inDirectory(Path root, ClassLoader loader)
      throws IOException {
    List<Class<? extends Enum<?>>> enums = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.relativize(file).toString();
        if (name.endsWith(SUFFIX) && names(Files.readAllBytes(file), SUPERCLASS)) {
          String type = name.substring(0, name.length() - SUFFIX.length());
          load(type.replace('/', '.').replace('\\', '.'), loader).ifPresent(enums::add);
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

  private static Optional<Class<? extends Enum<?>>> load(String name, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      if (!type.isEnum()) {
        return Optional.empty();
      }
      // Every enum is one of itself.
      @SuppressWarnings("unchecked")
      Class<? extends Enum<?>> found = (Class<? extends Enum<?>>) type;
      return Optional.of(found);
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }
}
