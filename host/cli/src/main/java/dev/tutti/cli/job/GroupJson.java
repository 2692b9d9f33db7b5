package dev.tutti.cli.job;

import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.plugin.json.JsonTree.PlainNode;
import dev.tutti.sdk.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes and reads the status of a group as JSON. */
public final class GroupJson {

  private static final String NUMBER = "number";
  private static final String TITLE = "title";
  private static final String RANKS = "ranks";
  private static final String STATE = "state";
  private static final String DOING = "doing";
  private static final String WAITS = "waits";
  private static final String RANK = "rank";
  private static final String NAME = "name";
  private static final String WAITS_FOR = "waitsFor";
  private static final String AT = "at";

  private GroupJson() {}

  /**
   * Writes a group.
   *
   * @param most the longest list of the ranks that one rank waits for
   */
  public static JsonLine of(GroupStatus group, int most) {
    return new JsonLine()
        .put(NUMBER, group.number())
        .put(TITLE, group.title())
        .put(RANKS, group.rankSize())
        .put(STATE, group.state().name().toLowerCase(Locale.ROOT))
        .put(DOING, group.doing())
        .put("cause", group.cause())
        .putLines(WAITS, group.ranks().stream().map(rank -> of(rank, most)).toList());
  }

  private static JsonLine of(RankStatus rank, int most) {
    return new JsonLine()
        .put(RANK, rank.rank())
        .put(NAME, rank.name())
        .put(STATE, rank.state().name().toLowerCase(Locale.ROOT))
        .put(DOING, rank.doing())
        .put("waitsForCount", rank.waitsFor().size())
        .putNumbers(WAITS_FOR, rank.waitsFor().stream().limit(most).toList())
        .put(AT, rank.at());
  }

  /** Reads what {@link #of(GroupStatus, int)} has written. */
  static GroupStatus read(Node node) {
    JsonFields fields = new JsonFields(node, "a group", ErrorCode.HOST_UNREACHABLE);
    List<RankStatus> ranks = new ArrayList<>();
    fields.list(WAITS).forEach(each -> ranks.add(readRank(each)));
    return new GroupStatus(
        fields.longNumber(NUMBER),
        fields.text(TITLE),
        fields.number(RANKS),
        GroupStatus.State.valueOf(fields.text(STATE).toUpperCase(Locale.ROOT)),
        fields.text(DOING),
        ranks);
  }

  private static RankStatus readRank(Node node) {
    JsonFields fields = new JsonFields(node, "a rank", ErrorCode.HOST_UNREACHABLE);
    return new RankStatus(
        fields.number(RANK),
        fields.text(NAME),
        RankStatus.State.valueOf(fields.text(STATE).toUpperCase(Locale.ROOT)),
        fields.text(DOING),
        numbers(fields),
        fields.text(AT));
  }

  private static List<Integer> numbers(JsonFields fields) {
    List<Integer> numbers = new ArrayList<>();
    for (Node each : fields.list(WAITS_FOR)) {
      if (!(each instanceof PlainNode plain)) {
        throw fields.wrong(WAITS_FOR, "a list of numbers", each.kind());
      }
      numbers.add(Integer.valueOf(plain.text()));
    }
    return numbers;
  }
}
