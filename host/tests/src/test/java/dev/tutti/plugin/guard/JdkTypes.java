package dev.tutti.plugin.guard;

import dev.tutti.plugin.guard.ClassWithUses.Use;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of the running JDK that others can name, and their members. */
final class JdkTypes {

  private JdkTypes() {}

  /** The exported types of a module, by name. */
  static List<Class<?>> of(String module) {
    ModuleReference reference = ModuleFinder.ofSystem().find(module).orElseThrow();
    Set<String> exported =
        reference.descriptor().exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = reference.open();
        Stream<String> files = reader.list()) {
      return files
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .filter(name -> exported.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
          .sorted()
          .<Class<?>>map(JdkTypes::load)
          .filter(JdkTypes::isVisible)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, JdkTypes.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> around = type.getEnclosingClass();
    return isUsable(type.getModifiers()) && (around == null || isVisible(around));
  }

  /** The members that a type declares itself and that other classes can use. */
  static Stream<Use> members(Class<?> type) {
    Stream<Use> methods =
        Stream.<Executable>concat(
                Arrays.stream(type.getDeclaredMethods()),
                Arrays.stream(type.getDeclaredConstructors()))
            .filter(member -> isUsable(member.getModifiers()))
            .map(member -> ofExecutable(type, member));
    Stream<Use> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(field -> isUsable(field.getModifiers()))
            .map(
                field ->
                    new Use(
                        type,
                        field.getName(),
                        field.getType().descriptorString(),
                        Modifier.isStatic(field.getModifiers())));
    return Stream.concat(methods, fields);
  }

  /**
   * The members that a type inherits from accessible types; static methods of interfaces are not
   * inherited.
   */
  static Stream<Use> inherited(Class<?> type) {
    return Stream.concat(
            Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
        .flatMap(
            each ->
                Stream.concat(
                    isVisible(each)
                        ? members(each).filter(use -> !use.isStatic() || !each.isInterface())
                        : Stream.empty(),
                    inherited(each)))
        .filter(use -> !use.name().equals("<init>"));
  }

  private static Use ofExecutable(Class<?> type, Executable member) {
    Class<?> result = member instanceof Method method ? method.getReturnType() : void.class;
    return new Use(
        type,
        member instanceof Method ? member.getName() : "<init>",
        MethodType.methodType(result, member.getParameterTypes()).descriptorString(),
        Modifier.isStatic(member.getModifiers()));
  }

  private static boolean isUsable(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }
}
