package dev.tutti.host.plugin.link;

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
 * What other classes can refer to in a class. Immutable.
 *
 * @param name its name with slashes
 * @param superName its superclass, or null for Object
 * @param interfaces its interfaces
 * @param flags its access flags
 * @param members the access flags of its members by {@link #key}
 */
record TypeShape(
    String name,
    @Nullable String superName,
    List<String> interfaces,
    int flags,
    Map<String, Integer> members) {

  private static final int VISIBLE = AccessFlag.PUBLIC.mask() | AccessFlag.PROTECTED.mask();

  static TypeShape of(ClassModel model) {
    Map<String, Integer> members = new HashMap<>();
    for (MethodModel method : model.methods()) {
      members.put(
          key(method.methodName().stringValue(), method.methodType().stringValue()),
          method.flags().flagsMask());
    }
    for (FieldModel field : model.fields()) {
      members.put(
          key(field.fieldName().stringValue(), field.fieldType().stringValue()),
          field.flags().flagsMask());
    }
    return new TypeShape(
        model.thisClass().asInternalName(),
        model.superclass().map(ClassEntry::asInternalName).orElse(null),
        model.interfaces().stream().map(ClassEntry::asInternalName).toList(),
        model.flags().flagsMask(),
        members);
  }

  /** The key of a member: types of methods start with a bracket, types of fields do not. */
  static String key(String name, String descriptor) {
    return name + ' ' + descriptor;
  }

  static boolean isVisible(int flags) {
    return (flags & VISIBLE) != 0;
  }

  boolean isPublic() {
    return (flags & AccessFlag.PUBLIC.mask()) != 0;
  }
}
