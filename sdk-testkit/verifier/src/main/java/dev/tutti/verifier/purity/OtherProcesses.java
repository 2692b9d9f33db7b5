package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.PlanDifference;
import dev.tutti.verifier.process.ChildException;
import dev.tutti.verifier.process.ChildException.Reason;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that plan the same cases as this one. Everything that a plan must not depend on
 * differs there: identity hash codes, the order of {@code Set.of} and {@code Map.of}, the order in
 * which ranks and requests are asked, requests of other threads at the same time, the language, the
 * time zone, and the number of processors. The processes start with the first question.
 * Thread-safe.
 */
public final class OtherProcesses implements AutoCloseable {

  /** Up to this many cases, every case is planned in all processes and orders of sets. */
  private static final int FEW = 16;

  /** In larger groups, a case is first planned in one process and order only. */
  private static final int MOST_RANKS = 256;

  /**
   * Of many cases, one in this many is planned again: a dependence on the process shows in many
   * cases, and all of them would cost too much.
   */
  private static final int ONE_IN = 8;

  private static final String NOT_THERE = "planned here, but not in another process: ";
  private static final String WHEN_DISTURBED = "when it plans other requests in between";
  private static final String WHEN_ELSEWHERE =
      "in another process, which has other hash codes, other orders of Set.of and Map.of, and other"
          + " requests before this one";

  private final List<OtherProcess> processes = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();
  private volatile String note = "";
  private volatile boolean isClosed;

  /** A place for planning: a process, and the order of sets and maps in it. */
  private record Place(OtherProcess process, SetOrder sets) {

    CompletableFuture<List<String>> ask(Question.Kind kind, String token, List<String> reference) {
      return process.ask(new Question(kind, sets, token, reference));
    }
  }

  /**
   * Processes that have not started.
   *
   * @param main a class with a {@code main} that calls {@link PlanningServer#serve}
   * @param options options of their JVMs, such as a class data archive
   * @param limit the longest time that a plan may take
   */
  public OtherProcesses(Class<?> main, List<String> options, Duration limit) {
    List<String> all = new ArrayList<>(HashOrder.JVM_OPTIONS);
    all.addAll(SetOrder.jvmOptions());
    all.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xmx" + Runtime.getRuntime().maxMemory(),
            "-XX:ActiveProcessorCount=" + (Runtime.getRuntime().availableProcessors() + 1),
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-Duser.timezone=Pacific/Apia"));
    all.addAll(options);
    for (HashOrder order : HashOrder.values()) {
      processes.add(new OtherProcess(main, List.copyOf(all), order, limit));
    }
    for (SetOrder sets : SetOrder.here().others()) {
      places.add(new Place(processes.get(places.isEmpty() ? 0 : 1), sets));
    }
  }

  /** Why the plans of some subject were not compared, in words; empty if all were compared. */
  public String note() {
    return note;
  }

  /**
   * The plans of some executors.
   *
   * @param reference names the executors, in a form that the {@code main} of the processes
   *     understands
   * @param cases the number of cases to compare; if they are few, each is planned in all orders of
   *     sets
   */
  public Subject subject(List<String> reference, int cases) {
    return new Subject(List.copyOf(reference), cases <= FEW);
  }

  /** Whether {@link #close} was called, after which no questions are possible. */
  public boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    processes.forEach(OtherProcess::close);
  }

  /**
   * The plans of some executors. For many cases, first ask for all of them {@linkplain #later
   * without waiting}. Then {@link #compare} only the {@linkplain #differing few that differ}.
   */
  public final class Subject implements RemotePlans {

    private final List<String> reference;
    private final boolean asksAll;

    /** Open questions that were asked without waiting, by case. */
    private final Map<CollectiveCase, List<Asked>> asked = new ConcurrentHashMap<>();

    private final AtomicInteger turn = new AtomicInteger();
    private volatile String ownNote = "";

    /** The findings about cases that were asked without waiting and differed. */
    private final Map<CollectiveCase, Finding> known = new ConcurrentHashMap<>();

    /** A question, and the digest of the plan that this process made; null if it made none. */
    private record Asked(
        Place place, CompletableFuture<List<String>> answer, @Nullable String digest) {}

    private Subject(List<String> reference, boolean asksAll) {
      this.reference = reference;
      this.asksAll = asksAll;
    }

    /**
     * Why the plans of these executors were not compared, in words; empty if they were compared.
     */
    public String note() {
      return ownNote;
    }

    private void setNote(String why) {
      ownNote = why;
      note = why;
    }

    private List<Asked> ask(CollectiveCase c, @Nullable GroupPlan plan, boolean isForAll) {
      Question.Kind kind = isForAll ? Question.Kind.DIGEST : Question.Kind.GLANCE;
      List<Place> chosen =
          isForAll
              ? places
              : List.of(places.get(Math.floorMod(turn.getAndIncrement(), places.size())));
      String digest = plan == null ? null : plan.digest();
      return chosen.stream()
          .map(each -> new Asked(each, each.ask(kind, c.token(), reference), digest))
          .toList();
    }

    /**
     * Remote plans that are requested without waiting, so a comparison never has a finding. Of many
     * cases, one in {@value #ONE_IN} is requested.
     */
    public RemotePlans later() {
      return (c, plan) -> {
        if (asksAll || Math.floorMod(c.token().hashCode(), ONE_IN) == 0) {
          asked.put(c, ask(c, plan, asksAll && c.comm().rankSize() <= MOST_RANKS));
        }
        return Optional.empty();
      };
    }

    /**
     * Waits for the answers to the questions of {@link #later}, and removes these questions.
     * Returns the cases that differ, sorted by token.
     */
    public List<CollectiveCase> differing() {
      List<CollectiveCase> differing = new ArrayList<>();
      asked.forEach(
          (c, all) ->
              first(all, each -> difference(each))
                  .ifPresent(
                      finding -> {
                        known.put(c, finding);
                        differing.add(c);
                      }));
      asked.clear();
      differing.sort(Comparator.comparing(CollectiveCase::token));
      return differing;
    }

    /** Cancels the questions of {@link #later}. */
    public void forget() {
      asked.values().forEach(all -> all.forEach(each -> each.answer().cancel(false)));
      asked.clear();
    }

    @Override
    public Optional<Finding> compare(CollectiveCase c, @Nullable GroupPlan plan) {
      Optional<Finding> finding =
          first(
              ask(c, plan, true),
              each -> {
                Optional<Finding> found = difference(each);
                return found.isPresent() && plan != null && isOtherPlan(each)
                    ? shown(c, plan, each.place()).or(() -> found)
                    : found;
              });
      return finding.or(() -> Optional.ofNullable(known.get(c)));
    }

    /** Evaluates the answers one after another until one reports a difference. */
    private Optional<Finding> first(List<Asked> all, Look look) {
      for (Asked each : all) {
        try {
          Optional<Finding> finding = look.at(each);
          if (finding.isPresent()) {
            return finding;
          }
        } catch (CancellationException e) {
          // The processes were closed meanwhile, so the answer is not needed.
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof ChildException failure)) {
            throw new IllegalStateException("another process could not be asked", e);
          }
          String why = String.valueOf(failure.getMessage());
          if (failure.reason() != Reason.NOT_STARTED) {
            return Optional.of(notPure(NOT_THERE, why));
          }
          setNote(why);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return Optional.empty();
    }

    private static boolean isOtherPlan(Asked asked) {
      return asked.answer().join().getFirst().equals(Question.PLANNED);
    }

    private Optional<Finding> difference(Asked asked)
        throws ExecutionException, InterruptedException {
      List<String> answer = asked.answer().get();
      String text = answer.getLast();
      boolean isPlanned = asked.digest() != null;
      return switch (answer.getFirst()) {
        case Question.PLANNED ->
            text.equals(asked.digest())
                ? Optional.empty()
                : Optional.of(
                    notPure(
                        isPlanned
                            ? "the plan differs in another process"
                            : "refused here, but not in another process",
                        ""));
        case Question.REFUSED ->
            isPlanned
                ? Optional.of(notPure("planned here, but refused in another process: ", text))
                : Optional.empty();
        case Question.FAILED -> Optional.of(notPure(NOT_THERE, text));
        default -> {
          setNote(text);
          yield Optional.empty();
        }
      };
    }

    private static Finding notPure(String what, String detail) {
      return new Finding(Rule.NOT_PURE, what + detail + PlanDifference.ADVICE);
    }

    /**
     * A finding with the first action that differs, if the process makes a different plan again.
     */
    private Optional<Finding> shown(CollectiveCase c, GroupPlan plan, Place place)
        throws ExecutionException, InterruptedException {
      List<String> shown = place.ask(Question.Kind.PLAN, c.token(), reference).get();
      GroupPlan other =
          shown.size() == 3 && shown.getFirst().equals(Question.SHOWN) ? read(shown.get(1)) : null;
      if (other == null || other.rankSize() != plan.rankSize()) {
        return Optional.empty();
      }
      String when = shown.getLast().equals(plan.digest()) ? WHEN_DISTURBED : WHEN_ELSEWHERE;
      for (int rank = 0; rank < plan.rankSize(); rank++) {
        if (!other.rank(rank).equals(plan.rank(rank))) {
          return Optional.of(
              new PlanDifference(plan.rank(rank), other.rank(rank), List.of(), when).finding());
        }
      }
      return Optional.empty();
    }

    private static @Nullable GroupPlan read(String json) {
      try {
        return PlanJson.fromJson(json);
      } catch (TuttiException e) {
        return null;
      }
    }
  }

  /** Evaluates the answer to a question. */
  @FunctionalInterface
  private interface Look {
    Optional<Finding> at(Subject.Asked asked) throws ExecutionException, InterruptedException;
  }
}
