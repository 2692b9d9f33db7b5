package dev.tutti.cli.options;

import dev.tutti.engine.machine.MachineLayout;
import dev.tutti.sdk.topology.Topology;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * The requested topology: a given one, or that of the machine's processors.
 *
 * @param named the given topology; null for that of the machine
 */
public record GroupShape(@Nullable Topology named) {

  /** The value that requests the topology of the machine. */
  public static final String FOUND = "found";

  /** Reads {@code found}, or a topology as {@link Topologies} does. */
  public static final class Converter implements ITypeConverter<GroupShape> {
    private final Topologies topologies = new Topologies();

    @Override
    public GroupShape convert(String text) {
      return new GroupShape(text.equalsIgnoreCase(FOUND) ? null : topologies.convert(text));
    }
  }

  /** Whether the topology is that of the machine, for any number of ranks. */
  public boolean isFound() {
    return named == null;
  }

  /** The given topology. */
  public Topology topology() {
    return Objects.requireNonNull(named, "a topology that is named");
  }

  /** The topology of a number of ranks on this machine. */
  public static Topology found(int ranks) {
    return MachineLayout.found().topology(GroupOptions.flat(ranks).rankSize());
  }
}
