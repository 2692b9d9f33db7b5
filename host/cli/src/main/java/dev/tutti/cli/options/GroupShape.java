package dev.tutti.cli.options;

import dev.tutti.sdk.topology.Topology;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * Where ranks are wanted: in a topology that is named, or as the machine has its processors.
 *
 * @param named null if it is to be found
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
