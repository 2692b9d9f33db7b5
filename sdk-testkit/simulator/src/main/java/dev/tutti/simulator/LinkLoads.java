package dev.tutti.simulator;

import dev.tutti.plan.json.JsonWriter;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Map;
import java.util.TreeMap;

/**
 * The traffic between ranks, as the data of a heat map: a square for each pair of ranks or, in
 * large groups, for each pair of blocks of consecutive ranks.
 */
public final class LinkLoads {

  /** The most squares in a row. */
  private static final int MAX_SIDE = 64;

  private LinkLoads() {}

  /** Bytes and messages between two blocks. */
  private record Load(long bytes, long messages, CommPlane level) {

    Load plus(Load other) {
      CommPlane highest = level.compareTo(other.level) < 0 ? other.level : level;
      return new Load(bytes + other.bytes, messages + other.messages, highest);
    }
  }

  /** The data as JSON: {@code name}, {@code labels} and {@code cells}. */
  public static String toJson(Traffic traffic) {
    Arguments.require(traffic, "traffic");
    int ranks = traffic.rankSize();
    int block = Math.ceilDiv(ranks, MAX_SIDE);
    int side = Math.ceilDiv(ranks, block);
    Map<Integer, Load> cells = new TreeMap<>();
    for (LinkTraffic link : traffic.links()) {
      cells.merge(
          link.src() / block * side + link.dst() / block,
          new Load(link.bytes(), link.messages(), link.level()),
          Load::plus);
    }
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.open('{').name("name").value(block == 1 ? "rank" : "ranks").name("labels").open('[');
    for (int at = 0; at < side; at++) {
      int last = Math.min(ranks, (at + 1) * block) - 1;
      json.value(block == 1 ? Integer.toString(at) : at * block + "–" + last);
    }
    json.close(']').name("cells").open('[');
    cells.forEach(
        (place, load) ->
            json.line(1)
                .open('[')
                .value(place / side)
                .value(place % side)
                .value(load.bytes)
                .value(load.messages)
                .value(load.level.label())
                .close(']'));
    json.close(']').close('}').finish();
    return text.toString();
  }
}
