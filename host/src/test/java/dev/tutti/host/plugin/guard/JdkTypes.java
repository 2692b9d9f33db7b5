package dev.tutti.host.plugin.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The public types of the running JDK, and their members. */
final class JdkTypes {

  private JdkTypes() {}

  /** The class of a name, or some of a package and those below it; none if there are none. */
  static List<Class<?>> of(String place) {
    boolean isClass = Character.isUpperCase(place.charAt(place.lastIndexOf('.') + 1));
    return (isClass ? Stream.of(place) : names(place)).flatMap(JdkTypes::visible).limit(3).toList();
  }

  private static Stream<String> names(String ofPackage) {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (Stream<Path> roots = Files.list(modules)) {
      return roots.flatMap(root -> names(root, ofPackage)).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> names(Path root, String ofPackage) {
    Path directory = root.resolve(ofPackage.replace('.', '/'));
    if (!Files.isDirectory(directory)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Class<?>> visible(String name) {
    try {
      Class<?> type = Class.forName(name, false, JdkTypes.class.getClassLoader());
      boolean isVisible =
          Modifier.isPublic(type.getModifiers())
              && type.getModule().isExported(type.getPackageName())
              && members(type).findAny().isPresent();
      return isVisible ? Stream.of(type) : Stream.empty();
    } catch (ClassNotFoundException | LinkageError e) {
      return Stream.empty();
    }
  }

  /** What other classes can use of those that a type declares itself. */
  static Stream<ClassWithUse> members(Class<?> type) {
    Stream<ClassWithUse> methods =
        Stream.<Executable>concat(
                Arrays.stream(type.getDeclaredMethods()),
                Arrays.stream(type.getDeclaredConstructors()))
            .filter(member -> isUsable(member.getModifiers()))
            .map(member -> ofExecutable(type, member));
    Stream<ClassWithUse> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(field -> isUsable(field.getModifiers()))
            .map(
                field ->
                    new ClassWithUse(
                        type,
                        field.getName(),
                        field.getType().descriptorString(),
                        Modifier.isStatic(field.getModifiers())));
    return Stream.concat(methods, fields);
  }

  private static ClassWithUse ofExecutable(Class<?> type, Executable member) {
    Class<?> result = member instanceof Method method ? method.getReturnType() : void.class;
    return new ClassWithUse(
        type,
        member instanceof Method ? member.getName() : "<init>",
        MethodType.methodType(result, member.getParameterTypes()).descriptorString(),
        Modifier.isStatic(member.getModifiers()));
  }

  private static boolean isUsable(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }
}
