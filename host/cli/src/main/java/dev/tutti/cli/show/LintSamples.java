package dev.tutti.cli.show;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.SizeOptions;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.pool.rules.ChoiceRule;
import dev.tutti.host.pool.rules.Range;
import dev.tutti.host.pool.rules.RuleCondition;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tests a rule on matching requests: with the ends of its ranges and values between them, and with
 * the values of its other conditions.
 */
final class LintSamples {

  private static final int MAX_RANKS = 64;
  private static final long MAX_BYTES = 1L << 30;
  private static final long STEP = 64;

  private final PlanPool pool;
  private final Rules rules;

  LintSamples(PlanPool pool, Rules rules) {
    this.pool = pool;
    this.rules = rules;
  }

  /**
   * Why no algorithm of a rule supports any sample that the rule matches; null if one does, or if
   * there are no samples.
   */
  @Nullable String refusal(ChoiceRule rule) {
    String refusal = null;
    for (OpParam param : samples(rule)) {
      if (!rule.condition().matches(param)) {
        continue;
      }
      Choice choice = pool.choose(param, null, rules);
      for (Candidate each : choice.candidates()) {
        if (rule.names(each.algorithm())) {
          if (each.isSupported()) {
            return null;
          }
          refusal = Sentence.of("%s, for example for %s", each.reason(), choice.request());
        }
      }
    }
    return refusal;
  }

  private List<OpParam> samples(ChoiceRule rule) {
    RuleCondition condition = rule.condition();
    List<OpParam> samples = new ArrayList<>();
    for (Operation operation : operations(rule)) {
      for (CommInfo comm : groups(condition)) {
        for (DataType type : orAll(condition.types(), List.of(DataType.FLOAT32, DataType.INT32))) {
          for (ReduceOp op : orAll(condition.reductions(), List.of(ReduceOp.SUM))) {
            if (op.supports(type)) {
              samples.addAll(sizes(operation, comm, type, op, condition.bytes()));
            }
          }
        }
      }
    }
    return samples;
  }

  private Set<Operation> operations(ChoiceRule rule) {
    if (!rule.condition().operations().isEmpty()) {
      return rule.condition().operations();
    }
    Set<Operation> operations = new LinkedHashSet<>();
    pool.algorithms().stream()
        .filter(each -> rule.names(each) && each.operation() != Operation.RECEIVE)
        .forEach(each -> operations.add(each.operation()));
    return operations;
  }

  private static <T> Set<T> orAll(Set<T> wanted, List<T> usual) {
    return wanted.isEmpty() ? new LinkedHashSet<>(usual) : wanted;
  }

  private static List<CommInfo> groups(RuleCondition condition) {
    List<CommInfo> groups = new ArrayList<>();
    for (Topology topology : topologies(condition)) {
      for (WorkflowMode mode : orAll(condition.modes(), List.of(WorkflowMode.values()))) {
        for (Protocol protocol : orAll(condition.protocols(), List.of(Protocol.values()))) {
          for (Determinism least : orAll(condition.determinism(), List.of(Determinism.NONE))) {
            long cclBytes = CommInfo.DEFAULT_CCL_BUFFER_SIZE;
            groups.add(
                withPlanes(condition, new CommInfo(0, topology, mode, protocol, least, cclBytes)));
          }
        }
      }
    }
    return groups;
  }

  /** A group in which each plane has the first protocol that a condition allows for it. */
  private static CommInfo withPlanes(RuleCondition condition, CommInfo group) {
    CommInfo changed = group;
    for (Map.Entry<CommPlane, Set<Protocol>> each : condition.planeProtocols().entrySet()) {
      changed = changed.withProtocol(each.getKey(), each.getValue().iterator().next());
    }
    return changed;
  }

  private static Set<Topology> topologies(RuleCondition condition) {
    Set<Topology> topologies = new LinkedHashSet<>(condition.topologies());
    if (topologies.isEmpty()) {
      for (long ranks : numbers(condition.ranks(), 1, MAX_RANKS, 2)) {
        for (long nodes : numbers(condition.nodes(), 1, ranks, 2)) {
          if (ranks % nodes == 0) {
            int[] sizes = new int[(int) nodes];
            Arrays.fill(sizes, (int) (ranks / nodes));
            topologies.add(Topology.nodes(sizes));
          }
        }
      }
    }
    return topologies;
  }

  /** The ends of a range, and the numbers between them in steps. */
  private static Set<Long> numbers(Range range, long least, long most, long step) {
    Set<Long> numbers = new TreeSet<>();
    long first = Math.max(least, range.min());
    long last = Math.min(Math.max(most, first), range.max());
    for (long each = first; each <= last; each *= step) {
      numbers.add(each);
    }
    if (first <= last) {
      numbers.add(last);
    }
    return numbers;
  }

  private static List<OpParam> sizes(
      Operation operation, CommInfo comm, DataType type, ReduceOp op, Range bytes) {
    OperationName name = new OperationName(operation.label(), operation);
    List<OpParam> params = new ArrayList<>();
    for (long size : numbers(bytes, type.size(), MAX_BYTES, STEP)) {
      long count = name.hasData() ? SizeOptions.rounded(name, type, comm.rankSize(), size) : 0;
      OpParam param =
          UniformCalls.of(operation, comm.rankSize(), type, op, count, 0)
              .param(comm, "", AlgOptions.none(), false);
      if (param != null) {
        params.add(param);
      }
    }
    return params;
  }
}
