package dev.tutti.cli.dev;

import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The references between classes. A class refers to every class whose name is anywhere in its
 * constant pool: as a type, in a descriptor or signature, or in an annotation. Not thread-safe.
 */
final class ClassReferences {

  private final Map<String, byte[]> classes;
  private final Map<String, Set<String>> direct = new HashMap<>();

  /**
   * References among some classes.
   *
   * @param classes the class files, by the name of the class with slashes
   * @throws IllegalArgumentException later, if one of them is not a class file
   */
  ClassReferences(Map<String, byte[]> classes) {
    this.classes = classes;
  }

  /**
   * The classes {@code from} and those that they refer to, directly or indirectly. Classes that are
   * not among the given ones are left out.
   */
  Set<String> reachable(Set<String> from) {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      String name = open.pop();
      byte[] content = classes.get(name);
      if (content != null && found.add(name)) {
        open.addAll(direct.computeIfAbsent(name, each -> read(content)));
      }
    }
    return found;
  }

  private Set<String> read(byte[] classFile) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : ClassFile.of().parse(classFile).constantPool()) {
      if (entry instanceof Utf8Entry text) {
        add(text.stringValue(), names);
      }
    }
    return names;
  }

  /** Adds the class whose name is the text, and the classes that it names as L…; or L…&lt;. */
  private void add(String text, Set<String> names) {
    if (classes.containsKey(text)) {
      names.add(text);
    }
    for (int at = text.indexOf('L'); at >= 0; at = text.indexOf('L', at + 1)) {
      int end = at + 1;
      while (end < text.length() && ";<".indexOf(text.charAt(end)) < 0) {
        end++;
      }
      String name = text.substring(at + 1, end);
      if (end < text.length() && classes.containsKey(name)) {
        names.add(name);
      }
    }
  }
}
