package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.PlanningGuard;
import dev.tutti.verifier.planning.PlanningLimits;
import dev.tutti.verifier.process.ParentChannel;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The child process. It plans the requested cases one after another, each with new executors and
 * {@linkplain DisturbedPlan disturbances}, and answers with digests. Not thread-safe.
 */
public final class PlanningServer {

  /** The most actions of a plan that is sent to the parent. */
  private static final long MOST_SHOWN = 50_000;

  private static final int MOST_TEXT = 4_000;

  private final ParentChannel channel;
  private final Source source;
  private final HashOrder order;
  private final Duration limit;
  private final Map<List<String>, List<CollExecutorBase<?>>> known = new HashMap<>();
  private final Set<Path> arranged = new HashSet<>();

  /** Executors that broke a limit, and could use it up again for each question. */
  private final Set<Class<?>> runaways = new HashSet<>();

  private final Map<Integer, PlanningGuard> guards = new HashMap<>();
  private @Nullable SetOrder sets;

  /** Finds the executors that the parent names. */
  public interface Source {

    /**
     * The executors of a reference.
     *
     * @throws Exception if there are none; its message gives the reason
     */
    List<CollExecutorBase<?>> executors(List<String> reference) throws Exception;

    /** The jar or the directory of their classes, if their class loader does not report it. */
    Optional<Path> location(List<String> reference);
  }

  private PlanningServer(ParentChannel channel, Source source, HashOrder order, Duration limit) {
    this.channel = channel;
    this.source = source;
    this.order = order;
    this.limit = limit;
  }

  /** Serves requests until the parent is gone. */
  public static void serve(Source source) throws IOException, InterruptedException {
    ParentChannel channel = ParentChannel.open();
    channel.ready("");
    List<String> settings = channel.next();
    HashOrder order = HashOrder.valueOf(settings.getFirst());
    order.arrange();
    Duration limit = Duration.ofMillis(Long.parseLong(settings.getLast()));
    new PlanningServer(channel, source, order, limit).run();
  }

  private void run() throws IOException, InterruptedException {
    while (true) {
      List<String> request = channel.next();
      channel.send(answer(Question.of(request)));
    }
  }

  // Whatever plugin code throws becomes the answer.
  @SuppressWarnings("CatchThrowable")
  private List<String> answer(Question question) {
    if (!question.sets().equals(sets)) {
      sets = question.sets();
      sets.take();
    }
    List<CollExecutorBase<?>> executors;
    try {
      executors = executors(question.reference());
    } catch (Throwable e) {
      return List.of(Question.ABSENT, cut(String.valueOf(e)));
    }
    try {
      CollectiveCase c = question.checked();
      return switch (question.kind()) {
        case GLANCE -> planned(c, executors, new DisturbedPlan(c, executors, false));
        case DIGEST -> planned(c, executors, new DisturbedPlan(c, executors, true));
        case PLAN -> shown(c, executors);
      };
    } catch (Throwable e) {
      return List.of(Question.FAILED, cut(String.valueOf(e)));
    }
  }

  private List<CollExecutorBase<?>> executors(List<String> reference) throws Exception {
    List<CollExecutorBase<?>> executors = known.get(reference);
    if (executors == null) {
      executors = source.executors(reference);
      known.put(reference, executors);
      arrangeEnums(executors, source.location(reference));
    }
    List<CollExecutorBase<?>> anew = new ArrayList<>();
    for (CollExecutorBase<?> each : executors) {
      anew.add(anew(each));
    }
    return anew;
  }

  /** Assigns hash codes to the plugin's enums before the plugin requests them. */
  private void arrangeEnums(List<CollExecutorBase<?>> executors, Optional<Path> told) {
    for (CollExecutorBase<?> each : executors) {
      Path location = told.or(() -> PluginEnums.locationOf(each.getClass())).orElse(null);
      if (location != null && arranged.add(location)) {
        PluginEnums.in(location, each.getClass().getClassLoader()).forEach(order::arrange);
      }
    }
  }

  /**
   * A new executor of the same class; the same one if its class has no constructor without
   * parameters.
   */
  private static CollExecutorBase<?> anew(CollExecutorBase<?> executor) {
    try {
      Constructor<?> constructor = executor.getClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      return (CollExecutorBase<?>) constructor.newInstance();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return executor;
    }
  }

  private List<String> planned(
      CollectiveCase c, List<CollExecutorBase<?>> executors, DisturbedPlan disturbed) {
    Class<?> type = executors.getFirst().getClass();
    if (runaways.contains(type)) {
      return List.of(Question.ABSENT, "planning " + type.getName() + " broke a limit there");
    }
    List<Finding> findings = new ArrayList<>();
    DisturbedPlan.Answer answer = guard(c).run(disturbed, findings::add);
    if (answer == null) {
      Finding finding = findings.getFirst();
      if (finding.rule() == Rule.PLANNING_TOO_LONG || finding.rule() == Rule.PLANNING_TOO_LARGE) {
        runaways.add(type);
      }
      return List.of(Question.FAILED, cut(finding.message()));
    }
    GroupPlan plan = answer.plan();
    return plan == null
        ? List.of(Question.REFUSED, cut(answer.refusal()))
        : List.of(Question.PLANNED, plan.digest());
  }

  /** The disturbed plan, and the digest of an undisturbed one. */
  private List<String> shown(CollectiveCase c, List<CollExecutorBase<?>> executors) {
    List<Finding> findings = new ArrayList<>();
    PlanningGuard guard = guard(c);
    DisturbedPlan.Answer answer = guard.run(new DisturbedPlan(c, executors, true), findings::add);
    GroupPlan plan = answer == null ? null : answer.plan();
    if (plan == null || plan.actionCount() > MOST_SHOWN) {
      return List.of(Question.FAILED, "");
    }
    GroupPlan calm = guard.run(new CalmPlan(c, executors), findings::add);
    return List.of(Question.SHOWN, PlanJson.toJson(plan), calm == null ? "" : calm.digest());
  }

  /** Plans without disturbances. */
  private record CalmPlan(CollectiveCase c, List<CollExecutorBase<?>> executors)
      implements PlanningGuard.Job<GroupPlan> {

    @Override
    public String doing() {
      return "planning";
    }

    @Override
    public @Nullable GroupPlan run() {
      try {
        return new PlanRecorder()
            .withSources(false)
            .record("elsewhere", InterleavedRequests.programs(c, executors));
      } catch (TuttiException e) {
        return null;
      }
    }
  }

  private PlanningGuard guard(CollectiveCase c) {
    return guards.computeIfAbsent(
        c.comm().rankSize(),
        ranks ->
            new PlanningGuard(
                new PlanningLimits(
                    limit.plusMillis(5L * ranks),
                    PlanningLimits.DEFAULT.maxBytes() + ranks * (16L << 20),
                    PlanningLimits.DEFAULT.maxActions())));
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + " ...";
  }
}
