package dev.tutti.sdk;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the SPI that plugins can name, one per line: types, their supertypes and members,
 * the constants of enums, the permitted subtypes of sealed types, and the elements of annotations.
 */
final class ApiList {

  private final SortedSet<String> lines = new TreeSet<>();

  private ApiList() {}

  /** The lines of all public types of this module, sorted. */
  static SortedSet<String> of() throws IOException, URISyntaxException {
    Path classes =
        Path.of(CollExecutorBase.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ApiList list = new ApiList();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".class")).sorted().toList()) {
        String name = classes.relativize(file).toString().replace('/', '.');
        if (name.startsWith("dev.tutti.sdk.") && !name.endsWith("package-info.class")) {
          list.add(load(name.substring(0, name.length() - ".class".length())));
        }
      }
    }
    return list.lines;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ApiList.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a class of this module", e);
    }
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isSeen(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isSeen(type.getModifiers()) && !type.isSynthetic() && (outer == null || isSeen(outer));
  }

  private void add(Class<?> type) {
    if (!isSeen(type) || type.isAnonymousClass() || type.isLocalClass()) {
      return;
    }
    String kind =
        type.isAnnotation()
            ? "annotation"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    boolean isFinal = Modifier.isFinal(type.getModifiers());
    lines.add((isFinal ? "final " : "") + kind + " " + type.getName());
    if (type.getSuperclass() != null) {
      lines.add(type.getName() + " extends " + type.getGenericSuperclass().getTypeName());
    }
    for (Type each : type.getGenericInterfaces()) {
      lines.add(type.getName() + " implements " + each.getTypeName());
    }
    if (type.isSealed()) {
      for (Class<?> each : type.getPermittedSubclasses()) {
        lines.add(type.getName() + " permits " + each.getName());
      }
    }
    for (Field field : type.getDeclaredFields()) {
      if (isSeen(field.getModifiers()) && !field.isSynthetic()) {
        lines.add(
            type.getName()
                + (field.isEnumConstant() ? " constant " : " field ")
                + (field.isEnumConstant() ? field.getName() : field.toGenericString()));
      }
    }
    for (Constructor<?> each : type.getDeclaredConstructors()) {
      addExecutable(type, each, "constructor");
    }
    for (Method each : type.getDeclaredMethods()) {
      addExecutable(type, each, each.getGenericReturnType().getTypeName() + " " + each.getName());
    }
  }

  private void addExecutable(Class<?> type, Executable each, String name) {
    if (!isSeen(each.getModifiers()) || each.isSynthetic()) {
      return;
    }
    List<String> words = new ArrayList<>();
    int modifiers = each.getModifiers();
    if (Modifier.isAbstract(modifiers)) {
      words.add("abstract");
    }
    if (Modifier.isStatic(modifiers)) {
      words.add("static");
    }
    words.add(name);
    String parameters =
        Arrays.stream(each.getGenericParameterTypes())
            .map(Type::getTypeName)
            .collect(Collectors.joining(", "));
    lines.add(type.getName() + " has " + String.join(" ", words) + "(" + parameters + ")");
  }
}
