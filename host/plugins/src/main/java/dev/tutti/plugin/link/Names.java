package dev.tutti.plugin.link;

/** Names of classes in class files and in messages. */
final class Names {

  private Names() {}

  /** The name with dots. */
  static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }

  /** The element class of an array type, or the class itself; empty for primitive types. */
  static String element(String internalName) {
    if (!internalName.startsWith("[")) {
      return internalName;
    }
    int last = internalName.lastIndexOf('[') + 1;
    return internalName.startsWith("L", last) && internalName.length() > last + 2
        ? internalName.substring(last + 1, internalName.length() - 1)
        : "";
  }

  static String packageOf(String internalName) {
    int end = internalName.lastIndexOf('/');
    return end < 0 ? "" : internalName.substring(0, end);
  }
}
