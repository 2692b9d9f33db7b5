package dev.tutti.cli.options;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads topologies: the number of ranks of each node, with + between nodes and | between pods. */
public final class Topologies implements ITypeConverter<Topology> {

  @Override
  public Topology convert(String text) {
    try {
      return Topology.parse(text);
    } catch (TuttiException e) {
      // A text that is not a topology is an error of the option; an impossible topology has its own
      // code.
      throw e.code() == ErrorCode.INVALID_ARGUMENT
          ? new TypeConversionException(e.getMessage())
          : e;
    }
  }
}
