package dev.tutti.plugin.link;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.stream.Collectors;

/**
 * A field or method that a class file names.
 *
 * @param owner the class in which it is looked up, with slashes
 * @param name its name
 * @param descriptor its type
 */
record MemberReference(String owner, String name, String descriptor) {

  boolean isMethod() {
    return descriptor.startsWith("(");
  }

  /** The member as its author would write it. */
  String text() {
    return Names.dotted(owner) + "." + name + (isMethod() ? parameters(descriptor) : "");
  }

  /** The parameter types of a method in parentheses; unchanged if the class file is damaged. */
  private static String parameters(String descriptor) {
    try {
      return MethodTypeDesc.ofDescriptor(descriptor).parameterList().stream()
          .map(ClassDesc::displayName)
          .collect(Collectors.joining(", ", "(", ")"));
    } catch (IllegalArgumentException e) {
      return descriptor;
    }
  }
}
