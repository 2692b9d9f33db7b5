package dev.tutti.plugin.guard;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Puts guards into a class file, with the ASM library inside Byte Buddy. A guard changes neither
 * the stack nor the variables, so the frames of the class stay valid.
 */
public final class Weaver {

  private Weaver() {}

  /**
   * The class with a guard at every use of the given references.
   *
   * @return the same bytes if there is nothing to guard
   */
  public static byte[] weave(byte[] classFile, Collection<Guarded> guarded) {
    if (guarded.isEmpty()) {
      return classFile;
    }
    Map<String, Guarded> byKey = new HashMap<>();
    guarded.forEach(each -> byKey.put(key(each.owner(), each.name(), each.descriptor()), each));
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new GuardingClass(writer, byKey), 0);
    return writer.toByteArray();
  }

  static String key(String owner, String name, String descriptor) {
    return owner + ' ' + name + ' ' + descriptor;
  }
}
