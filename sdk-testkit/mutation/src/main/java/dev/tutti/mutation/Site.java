package dev.tutti.mutation;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The place of a mistake in a plan.
 *
 * @param ranks the ranks with the mistake
 * @param round the round of OP_BASE
 * @param place the choice among the possible actions
 */
record Site(Ranks ranks, Round round, Place place) {

  /** The ranks with the mistake. */
  enum Ranks {
    ALL,
    FIRST,
    LAST
  }

  /** The round with the mistake. */
  enum Round {
    ANY,
    SECOND,
    LAST
  }

  /** The action of a round with the mistake. */
  enum Place {
    FIRST,
    MIDDLE,
    LAST
  }

  /** Draws ranks and a place, for any round. */
  static Site draw(Random random) {
    return new Site(
        Draws.of(List.of(Ranks.values()), random),
        Round.ANY,
        Draws.of(List.of(Place.values()), random));
  }

  Site in(Round newRound) {
    return new Site(ranks, newRound, place);
  }

  boolean isOn(int rank, int rankSize) {
    return switch (ranks) {
      case ALL -> true;
      case FIRST -> rank == 0;
      case LAST -> rank == rankSize - 1;
    };
  }

  boolean isIn(int ofAction, int last) {
    return switch (round) {
      case ANY -> true;
      case SECOND -> ofAction == 1;
      case LAST -> ofAction == last;
    };
  }

  /** Chooses one of the given actions; there must be at least one. */
  int of(List<Integer> actions) {
    return switch (place) {
      case FIRST -> actions.getFirst();
      case MIDDLE -> actions.get(actions.size() / 2);
      case LAST -> actions.getLast();
    };
  }

  @Override
  public String toString() {
    return "on %s, round %s, place %s".formatted(ranks, round, place).toLowerCase(Locale.ROOT);
  }
}
