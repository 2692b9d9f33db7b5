package dev.tutti.plugin.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All classes that a plugin can name: the host's, and those of its jar. Not thread-safe. */
final class LinkedTypes {

  private static final int BYTES_A_STEP = 16;
  private static final int STEPS_A_NAME = 20;

  /** The cost of a look-up in all modules of the JDK. */
  private static final int STEPS_OF_MODULES = 1_000;

  /** The cost of the memory that is kept for a member. */
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

  /** Whether a class has too many ancestors for the JVM. */
  boolean hasTooManyAncestors(String name) {
    return ancestry.isTooLarge(name);
  }

  /** The bound on the work for these classes. */
  Effort effort() {
    return effort;
  }

  boolean isOfAbsentModule(String name) {
    effort.spend(STEPS_OF_MODULES);
    return host.isOfAbsentModule(name);
  }

  /** The shape of a class, or null if there is no such class. */
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
   * A class of the jar, or null if the jar has no such class. Only its shape is kept: the
   * references of many classes take more memory than their files.
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

  /** The advice if the plugin was compiled with other classes than the host's. */
  String rebuild() {
    return "rebuild the plugin against sdk-api "
        + spiVersion
        + " on Java "
        + Runtime.version().feature();
  }
}
