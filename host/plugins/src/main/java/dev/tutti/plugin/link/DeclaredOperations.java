package dev.tutti.plugin.link;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.Signature;
import java.lang.classfile.Signature.ClassTypeSig;
import java.lang.classfile.Signature.TypeArg;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the operations of a jar's executors in their class files, before any class is defined. It
 * looks where {@link Operation#ofExecutor} looks in a class: at the parameter record that the class
 * uses for the type variable of {@link CollExecutorBase}. Not thread-safe.
 */
public final class DeclaredOperations {

  private static final String BASE = CollExecutorBase.class.getName().replace('.', '/');
  private static final String PARAMETERS = "dev/tutti/sdk/param/";
  private static final String SUFFIX = "Param";

  /**
   * The longest way from a class to the base class; a broken class file could be its own parent.
   */
  private static final int LONGEST_WAY = 32;

  private final ClassFiles jar;
  private final Map<String, Optional<Parent>> parents = new HashMap<>();

  /**
   * The superclass of a class.
   *
   * @param variables the type variables of the class
   * @param name the superclass, with slashes
   * @param arguments its type arguments
   */
  private record Parent(List<String> variables, String name, List<TypeArg> arguments) {}

  public DeclaredOperations(ClassFiles jar) {
    this.jar = jar;
  }

  /**
   * The operation of an executor.
   *
   * @param executor the name of its class, with dots
   * @return empty if the class files do not show it: they are missing or broken, or leave the
   *     operation open
   */
  public Optional<Operation> of(String executor) {
    String at = executor.replace('.', '/');
    List<String> known = List.of();
    for (int step = 0; step < LONGEST_WAY; step++) {
      Parent parent = parents.computeIfAbsent(at, this::parent).orElse(null);
      if (parent == null) {
        return Optional.empty();
      }
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < Math.min(known.size(), parent.variables().size()); i++) {
        values.put(parent.variables().get(i), known.get(i));
      }
      known = parent.arguments().stream().map(argument -> value(argument, values)).toList();
      at = parent.name();
      if (at.equals(BASE)) {
        return known.stream().flatMap(DeclaredOperations::operation).findFirst();
      }
    }
    return Optional.empty();
  }

  private Optional<Parent> parent(String name) {
    try {
      byte[] bytes = HostTypes.isSpi(name) ? spiClass(name) : jar.find(name);
      if (bytes == null) {
        return Optional.empty();
      }
      ClassModel model = ClassFile.of().parse(bytes);
      Optional<SignatureAttribute> signature = model.findAttribute(Attributes.signature());
      return signature.isPresent()
          ? Optional.of(parent(signature.get().asClassSignature()))
          : model
              .superclass()
              .map(ClassEntry::asInternalName)
              .map(parent -> new Parent(List.of(), parent, List.of()));
    } catch (RuntimeException e) {
      // The link check finds it, too, and says what is wrong.
      return Optional.empty();
    }
  }

  private static byte @Nullable [] spiClass(String name) {
    try (InputStream in = HostTypes.openSpi(name)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the class " + name, e);
    }
  }

  private static Parent parent(ClassSignature signature) {
    ClassTypeSig parent = signature.superclassSignature();
    return new Parent(
        signature.typeParameters().stream().map(Signature.TypeParam::identifier).toList(),
        parent.className(),
        parent.typeArgs());
  }

  /** The name of a type argument's class; empty if it is not a class, or a variable is open. */
  private static String value(TypeArg argument, Map<String, String> values) {
    return argument instanceof TypeArg.Bounded bounded
        ? switch (bounded.boundType()) {
          case ClassTypeSig type -> type.className();
          case Signature.TypeVarSig variable -> values.getOrDefault(variable.identifier(), "");
          default -> "";
        }
        : "";
  }

  private static Stream<Operation> operation(String parameters) {
    if (!parameters.startsWith(PARAMETERS) || !parameters.endsWith(SUFFIX)) {
      return Stream.of();
    }
    String name = parameters.substring(PARAMETERS.length(), parameters.length() - SUFFIX.length());
    String label = name.toLowerCase(Locale.ROOT);
    return Stream.of(Operation.values()).filter(each -> each.label().equals(label));
  }
}
