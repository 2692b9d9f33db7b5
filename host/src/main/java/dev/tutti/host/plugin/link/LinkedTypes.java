package dev.tutti.host.plugin.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All classes that a plugin can name: the host's, and those of its jar. Not thread-safe. */
final class LinkedTypes {

  private final HostTypes host;
  private final ClassFiles jar;
  private final String spiVersion;
  private final Map<String, Optional<ClassFacts>> ofJar = new HashMap<>();

  LinkedTypes(HostTypes host, ClassFiles jar, String spiVersion) {
    this.host = host;
    this.jar = jar;
    this.spiVersion = spiVersion;
  }

  boolean isOfHost(String name) {
    return host.owns(name) || name.startsWith("[");
  }

  /** The shape of a class, or null if it is nowhere. */
  @Nullable TypeShape shape(String name) {
    if (host.owns(name)) {
      return host.find(name);
    }
    ClassFacts facts = ofJar(name);
    return facts == null ? null : facts.shape();
  }

  /** A class of the jar, or null if the jar has no such class. */
  @Nullable ClassFacts ofJar(String name) {
    return ofJar.computeIfAbsent(name, this::read).orElse(null);
  }

  private Optional<ClassFacts> read(String name) {
    byte[] bytes = host.owns(name) ? null : jar.find(name);
    return bytes == null ? Optional.empty() : Optional.of(ClassFacts.read(name, bytes));
  }

  /** What to do when the host's classes are not those that the plugin was compiled with. */
  String rebuild() {
    return "rebuild the plugin against sdk-api "
        + spiVersion
        + " on Java "
        + Runtime.version().feature();
  }
}
