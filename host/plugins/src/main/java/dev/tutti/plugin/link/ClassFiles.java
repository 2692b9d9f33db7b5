package dev.tutti.plugin.link;

import org.jspecify.annotations.Nullable;

/** The class files of one jar. */
@FunctionalInterface
public interface ClassFiles {

  /**
   * The bytes of a class.
   *
   * @param internalName its name with slashes
   * @return null if the jar has no such class
   */
  byte @Nullable [] find(String internalName);
}
