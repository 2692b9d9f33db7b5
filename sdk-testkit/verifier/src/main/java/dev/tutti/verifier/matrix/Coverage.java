package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The combinations that some cases visit, out of all combinations of a matrix. Immutable.
 *
 * @param cases the number of cases
 * @param withoutData the number of cases with count 0, for an operation that moves data
 * @param pairs each pair of factors
 * @param triples the triples that the standard cases must visit
 * @param shares single factors, and mode with protocol
 */
public record Coverage(
    int cases,
    int withoutData,
    List<Combinations> pairs,
    List<Combinations> triples,
    List<Combinations> shares) {

  /** Takes immutable copies. */
  public Coverage {
    pairs = List.copyOf(pairs);
    triples = List.copyOf(triples);
    shares = List.copyOf(shares);
  }

  /**
   * The combinations of the values of some factors.
   *
   * @param factors the factors, for example {@code "rounds × protocol × ranks"}
   * @param visits for each combination that a case can have, the number of cases that have it
   */
  public record Combinations(String factors, Map<String, Integer> visits) {

    /** Takes an immutable copy that keeps the order. */
    public Combinations {
      visits = Collections.unmodifiableMap(new LinkedHashMap<>(visits));
    }

    /** The number of combinations that a case can have. */
    public int possible() {
      return visits.size();
    }

    /** The number of combinations that some case has. */
    public int visited() {
      return (int) visits.values().stream().filter(each -> each > 0).count();
    }

    /** The fewest cases that a combination has. */
    public int fewest() {
      return visits.values().stream().min(Comparator.naturalOrder()).orElse(0);
    }

    /** Some of the combinations that the fewest cases have, with their numbers of cases. */
    public Map<String, Integer> thinnest(int limit) {
      Map<String, Integer> thinnest = new LinkedHashMap<>();
      visits.entrySet().stream()
          .sorted(Map.Entry.comparingByValue())
          .limit(limit)
          .forEach(each -> thinnest.put(each.getKey(), each.getValue()));
      return thinnest;
    }

    private static Combinations of(Interaction interaction, List<CollectiveCase> cases) {
      for (CollectiveCase c : cases) {
        int combination = interaction.at(c);
        if (combination >= 0 && interaction.visits(combination) >= 0) {
          interaction.visit(combination);
        }
      }
      Map<String, Integer> visits = new LinkedHashMap<>();
      for (int i = 0; i < interaction.size(); i++) {
        if (interaction.visits(i) >= 0) {
          visits.put(interaction.label(i), interaction.visits(i));
        }
      }
      return new Combinations(interaction.name(), visits);
    }
  }

  /** The combinations that some cases visit, out of all combinations of a matrix. */
  public static Coverage of(Matrix matrix, List<CollectiveCase> cases) {
    Factors factors = new Factors(new Axes(matrix));
    return new Coverage(
        cases.size(),
        (int) cases.stream().filter(c -> c.count() == 0 && Traits.hasData(c.operation())).count(),
        combinations(factors.pairs(), cases),
        combinations(factors.triples(), cases),
        combinations(factors.shares(), cases));
  }

  private static List<Combinations> combinations(
      List<Interaction> interactions, List<CollectiveCase> cases) {
    List<Combinations> all = new ArrayList<>();
    interactions.forEach(interaction -> all.add(Combinations.of(interaction, cases)));
    return all;
  }
}
