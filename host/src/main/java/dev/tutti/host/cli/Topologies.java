package dev.tutti.host.cli;

import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Topologies as text: ranks of each node, nodes separated by + and pods by |. */
final class Topologies implements ITypeConverter<Topology> {

  private static final Pattern PATTERN = Pattern.compile("\\d{1,8}([+|]\\d{1,8})*");

  private static final Pattern POD_END = Pattern.compile("\\|");
  private static final Pattern NODE_END = Pattern.compile("\\+");

  @Override
  public Topology convert(String text) {
    String shape = text.replaceAll("\\s", "");
    if (!PATTERN.matcher(shape).matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a topology such as 8+4 (nodes) or 8+8|8+4 (nodes in pods)");
    }
    List<int[]> pods = POD_END.splitAsStream(shape).map(Topologies::nodes).toList();
    return Topology.pods(pods);
  }

  private static int[] nodes(String pod) {
    return NODE_END.splitAsStream(pod).mapToInt(Integer::parseInt).toArray();
  }
}
