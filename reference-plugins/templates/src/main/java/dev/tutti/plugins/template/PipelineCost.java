package dev.tutti.plugins.template;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * What rounds of many equal segments cost. Once a pipeline is full, each further segment takes as
 * long as the one before. So where a {@link Timetable} of all would be too long, one of fewer and
 * one of half as many are added up, and the line through both is continued: over the rounds, or if
 * rounds are long themselves, over the segments of a round, as if rounds did not overlap.
 *
 * @param cut where the segments of a round of so many elements lie
 * @param schedule adds up rounds
 * @param most the most rounds, or segments of a round, that are added up
 */
public record PipelineCost(
    LongFunction<Round> cut, Function<List<Round>, Timetable> schedule, int most) {

  /** Fewer do not fill a pipeline, and show nothing of those that follow. */
  private static final int FEWEST = 8;

  /**
   * The segments of a round.
   *
   * @param flows those of each flow, such as a tree
   */
  public record Round(List<List<Slice>> flows) {

    private int segments() {
      return flows.stream().mapToInt(List::size).max().orElse(0);
    }

    /** As if there were fewer segments: those that are taken lie at equal distances. */
    private Round sample(int number) {
      long all = segments();
      return new Round(
          flows.stream()
              .map(
                  flow ->
                      IntStream.range(0, number)
                          .map(i -> (int) (i * all / number))
                          .filter(i -> i < flow.size())
                          .mapToObj(flow::get)
                          .toList())
              .toList());
    }
  }

  /** Adds up as much as a timetable takes. */
  public PipelineCost(LongFunction<Round> cut, Function<List<Round>, Timetable> schedule) {
    this(cut, schedule, Integer.MAX_VALUE);
  }

  /**
   * What a vector costs; empty if too few segments can be added up.
   *
   * @param count elements, 0 or more
   * @param perRound the most elements of a round; 1 or more, or any number without elements
   */
  public Optional<Cost> of(long count, long perRound) {
    if (count == 0) {
      return schedule.apply(List.of()).cost();
    }
    long full = count / perRound;
    List<Round> rest = count % perRound == 0 ? List.of() : List.of(cut.apply(count % perRound));
    if (full + rest.size() <= 1) {
      return ofRound(cut.apply(count));
    }
    Round round = cut.apply(perRound);
    return line(full, rounds -> schedule.apply(rounds(rounds, round, rest)))
        .or(() -> oneByOne(full, round, rest));
  }

  private static List<Round> rounds(int number, Round round, List<Round> rest) {
    List<Round> rounds = new ArrayList<>(Collections.nCopies(number, round));
    rounds.addAll(rest);
    return rounds;
  }

  private Optional<Cost> oneByOne(long full, Round round, List<Round> rest) {
    Optional<Cost> all = ofRound(round).map(cost -> sum(new Cost(0, 0, 0), cost, (double) full));
    for (Round last : rest) {
      all = all.flatMap(cost -> ofRound(last).map(other -> sum(cost, other, 1)));
    }
    return all;
  }

  private Optional<Cost> ofRound(Round round) {
    return line(round.segments(), number -> schedule.apply(List.of(round.sample(number))));
  }

  private Optional<Cost> line(long number, IntFunction<Timetable> table) {
    int fitting = Math.min(most, fitting(number, table));
    if (fitting >= number) {
      return table.apply(fitting).cost();
    }
    if (fitting < FEWEST) {
      return Optional.empty();
    }
    int fewer = fitting / 2;
    Optional<Cost> near = table.apply(fewer).cost();
    Optional<Cost> far = table.apply(fitting).cost();
    return far.flatMap(
        end ->
            near.map(start -> continued(start, end, fitting - fewer, (double) number - fitting)));
  }

  private static Cost continued(Cost start, Cost end, int apart, double further) {
    Cost grown = sum(sum(new Cost(0, 0, 0), end, further), start, -further);
    return new Cost(
        end.alphas() + grown.alphas() / apart,
        end.betaBytes() + grown.betaBytes() / apart,
        end.gammaBytes() + grown.gammaBytes() / apart);
  }

  /** How many of them a timetable takes. */
  private static int fitting(long number, IntFunction<Timetable> table) {
    if (number <= 2) {
      return (int) number;
    }
    Timetable one = table.apply(1);
    Timetable two = table.apply(2);
    if (two.isTooLong()) {
      return one.isTooLong() ? 0 : 1;
    }
    int each = Math.max(1, two.links() - one.links());
    return (int) Math.min(number, 2 + two.room() / each);
  }

  private static Cost sum(Cost cost, Cost other, double times) {
    return new Cost(
        cost.alphas() + times * other.alphas(),
        cost.betaBytes() + times * other.betaBytes(),
        cost.gammaBytes() + times * other.gammaBytes());
  }
}
