package dev.tutti.plugin.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All classes that a plugin can name: the host's, and those of its jar. Not thread-safe. */
final class LinkedTypes {

  private static final int BYTES_A_STEP = 16;
  private static final int STEPS_A_NAME = 20;

  /** All modules of the JDK are asked. */
  private static final int STEPS_OF_MODULES = 1_000;

  /** What is kept of a member is the memory of so many steps. */
  private static final int STEPS_A_MEMBER = 50;

  private final HostTypes host;
  private final ClassFiles jar;
  private final String spiVersion;
  private final Effort effort = new Effort();
  private final Ancestry ancestry = new Ancestry(this::shape);
  private final Map<String, Optional<TypeShape>> shapes = new HashMap<>();
  private final Map<String, Boolean> ofHost = new HashMap<>();

  LinkedTypes(HostTypes host, ClassFiles jar, String spiVersion) {
    this.host = host;
    this.jar = jar;
    this.spiVersion = spiVersion;
  }

  boolean isOfHost(String name) {
    return ofHost.computeIfAbsent(name, each -> host.owns(each) || each.startsWith("["));
  }

  /** Whether a class has more ancestors than the JVM should be given. */
  boolean hasTooManyAncestors(String name) {
    return ancestry.isTooLarge(name);
  }

  /** What looking at the classes may cost. */
  Effort effort() {
    return effort;
  }

  boolean isOfAbsentModule(String name) {
    effort.spend(STEPS_OF_MODULES);
    return host.isOfAbsentModule(name);
  }

  /** The shape of a class, or null if it is nowhere. */
  @Nullable TypeShape shape(String name) {
    effort.spend(1);
    Optional<TypeShape> known = shapes.get(name);
    if (known == null) {
      effort.spend(STEPS_A_NAME);
      ClassFacts facts = isOfHost(name) ? null : ofJar(name);
      known = facts == null ? Optional.ofNullable(host.find(name)) : Optional.of(facts.shape());
      shapes.put(name, known);
    }
    return known.orElse(null);
  }

  /**
   * A class of the jar, or null if the jar has no such class. Only its shape is kept: what many
   * classes name takes more memory than their files.
   */
  @Nullable ClassFacts ofJar(String name) {
    byte[] bytes = isOfHost(name) ? null : jar.find(name);
    if (bytes == null) {
      return null;
    }
    effort.spend(1 + bytes.length / BYTES_A_STEP);
    ClassFacts facts = ClassFacts.read(name, bytes, effort);
    if (shapes.put(name, Optional.of(facts.shape())) == null) {
      effort.spend((long) STEPS_A_MEMBER * facts.shape().memberCount());
    }
    return facts;
  }

  /** What to do when the host's classes are not those that the plugin was compiled with. */
  String rebuild() {
    return "rebuild the plugin against sdk-api "
        + spiVersion
        + " on Java "
        + Runtime.version().feature();
  }
}
