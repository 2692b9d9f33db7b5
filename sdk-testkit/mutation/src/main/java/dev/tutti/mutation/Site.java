package dev.tutti.mutation;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Where in a plan a mistake is made.
 *
 * @param ranks on which ranks
 * @param round in which round of OP_BASE
 * @param place at which of the actions where it could be made
 */
record Site(Ranks ranks, Round round, Place place) {

  /** Which ranks are wrong. */
  enum Ranks {
    ALL,
    FIRST,
    LAST
  }

  /** Which round is wrong. */
  enum Round {
    ANY,
    SECOND,
    LAST
  }

  /** Which action of a round is wrong. */
  enum Place {
    FIRST,
    MIDDLE,
    LAST
  }

  /** Any place in any round. */
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

  /** One of some actions, which are not none. */
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
