package dev.tutti.plugin.link;

import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a class that other classes can refer to. Immutable.
 *
 * @param name its name with slashes
 * @param superName its superclass, or null for Object
 * @param interfaces its interfaces
 * @param flags its access flags
 * @param members the access flags of its members by name and then by descriptor: the two are not
 *     combined into one text, because a class file can combine a few long ones in very many ways
 */
record TypeShape(
    String name,
    @Nullable String superName,
    List<String> interfaces,
    int flags,
    Map<String, Map<String, Integer>> members) {

  private static final int VISIBLE = AccessFlag.PUBLIC.mask() | AccessFlag.PROTECTED.mask();

  /** Flags of a field that does not change in an object: static, or set once. */
  private static final int FIXED = AccessFlag.STATIC.mask() | AccessFlag.FINAL.mask();

  static TypeShape of(ClassModel model) {
    Map<String, Map<String, Integer>> members = new HashMap<>();
    for (MethodModel method : model.methods()) {
      members
          .computeIfAbsent(method.methodName().stringValue(), _ -> new HashMap<>(2))
          .put(method.methodType().stringValue(), method.flags().flagsMask());
    }
    for (FieldModel field : model.fields()) {
      members
          .computeIfAbsent(field.fieldName().stringValue(), _ -> new HashMap<>(2))
          .put(field.fieldType().stringValue(), field.flags().flagsMask());
    }
    return new TypeShape(
        model.thisClass().asInternalName(),
        model.superclass().map(ClassEntry::asInternalName).orElse(null),
        model.interfaces().stream().map(ClassEntry::asInternalName).toList(),
        model.flags().flagsMask(),
        members);
  }

  /** The number of members that it declares. */
  int memberCount() {
    return members.values().stream().mapToInt(Map::size).sum();
  }

  /** Whether it declares instance fields that are not final. */
  boolean hasFieldsThatChange() {
    return members.values().stream()
        .flatMap(each -> each.entrySet().stream())
        .anyMatch(each -> !each.getKey().startsWith("(") && (each.getValue() & FIXED) == 0);
  }

  /** The access flags of a member that it declares itself; null if it does not. */
  @Nullable Integer flags(String name, String descriptor) {
    return members.getOrDefault(name, Map.of()).get(descriptor);
  }

  static boolean isVisible(int flags) {
    return (flags & VISIBLE) != 0;
  }

  boolean isPublic() {
    return (flags & AccessFlag.PUBLIC.mask()) != 0;
  }
}
