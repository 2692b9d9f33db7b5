package dev.tutti.cli.options;

import dev.tutti.sdk.topology.Topology;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * The requested topology: a given one, or that of the machine's processors.
 *
 * @param named the given topology; null for that of the machine
 */
record GroupShape(@Nullable Topology named) {

  private static final String FOUND = "found";

  /** Reads {@code found}, or what {@link Topologies} reads. */
  static final class Converter implements ITypeConverter<GroupShape> {
    private final Topologies topologies = new Topologies();

    @Override
    public GroupShape convert(String text) {
      return new GroupShape(text.equalsIgnoreCase(FOUND) ? null : topologies.convert(text));
    }
  }

  boolean isFound() {
    return named == null;
  }

  Topology topology() {
    return Objects.requireNonNull(named, "a topology that is named");
  }
}
