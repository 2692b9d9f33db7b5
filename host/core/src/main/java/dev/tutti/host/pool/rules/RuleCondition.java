package dev.tutti.host.pool.rules;

import dev.tutti.sdk.Arguments;
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
import java.util.Map;
import java.util.Set;

/**
 * The requests to which a rule applies: those that satisfy all conditions. An empty set allows all
 * values. No condition differs between the ranks of a group.
 *
 * @param operations SEND for transfers
 * @param bytes the size by which algorithms are chosen: the full vector of one rank
 * @param ranks the number of ranks
 * @param nodes the number of nodes
 * @param types the element type; operations without data match only the empty set
 * @param reductions the reduction; operations without one match only the empty set
 * @param topologies the shape of the group
 * @param determinism the requested class
 * @param modes how ranks reach the callers' buffers
 * @param protocols how bytes cross links, except those of {@code planeProtocols}
 * @param planeProtocols how bytes cross the links of some planes
 */
public record RuleCondition(
    Set<Operation> operations,
    Range bytes,
    Range ranks,
    Range nodes,
    Set<DataType> types,
    Set<ReduceOp> reductions,
    Set<Topology> topologies,
    Set<Determinism> determinism,
    Set<WorkflowMode> modes,
    Set<Protocol> protocols,
    Map<CommPlane, Set<Protocol>> planeProtocols) {

  /** The condition that every request satisfies. */
  public static final RuleCondition ALWAYS =
      new RuleCondition(
          Set.of(), Range.ALL, Range.ALL, Range.ALL, Set.of(), Set.of(), Set.of(), Set.of(),
          Set.of(), Set.of(), Map.of());

  /** Takes immutable copies. */
  public RuleCondition {
    Arguments.require(operations, "operations");
    Arguments.require(bytes, "bytes");
    Arguments.require(ranks, "ranks");
    Arguments.require(nodes, "nodes");
    Arguments.require(types, "types");
    Arguments.require(reductions, "reductions");
    Arguments.require(topologies, "topologies");
    Arguments.require(determinism, "determinism");
    Arguments.require(modes, "modes");
    Arguments.require(protocols, "protocols");
    Arguments.require(planeProtocols, "planeProtocols");
    operations = Set.copyOf(operations);
    types = Set.copyOf(types);
    reductions = Set.copyOf(reductions);
    topologies = Set.copyOf(topologies);
    determinism = Set.copyOf(determinism);
    modes = Set.copyOf(modes);
    protocols = Set.copyOf(protocols);
    planeProtocols = Map.copyOf(planeProtocols);
  }

  /** Whether a request satisfies all conditions; the answer is the same on every rank. */
  public boolean matches(OpParam param) {
    Arguments.require(param, "param");
    CommInfo comm = param.comm();
    return allows(operations, param.operation())
        && bytes.contains(param.messageBytes())
        && ranks.contains(comm.rankSize())
        && nodes.contains(comm.topology().nodeCount())
        && RequestTraits.allows(types, RequestTraits.dataType(param))
        && RequestTraits.allows(reductions, RequestTraits.reduceOp(param))
        && allows(topologies, comm.topology())
        && allows(determinism, comm.determinism())
        && allows(modes, comm.mode())
        && allows(protocols, comm.protocol())
        && planeProtocols.entrySet().stream()
            .allMatch(each -> allows(each.getValue(), comm.protocol(each.getKey())));
  }

  /** Whether every request that satisfies another condition satisfies this one, too. */
  public boolean covers(RuleCondition other) {
    Arguments.require(other, "other");
    return covers(operations, other.operations)
        && bytes.contains(other.bytes)
        && ranks.contains(other.ranks)
        && nodes.contains(other.nodes)
        && covers(types, other.types)
        && covers(reductions, other.reductions)
        && covers(topologies, other.topologies)
        && covers(determinism, other.determinism)
        && covers(modes, other.modes)
        && covers(protocols, other.protocols)
        && planeProtocols.entrySet().stream()
            .allMatch(
                each ->
                    covers(
                        each.getValue(),
                        other.planeProtocols.getOrDefault(each.getKey(), Set.of())));
  }

  private static <T> boolean allows(Set<T> set, T value) {
    return set.isEmpty() || set.contains(value);
  }

  private static <T> boolean covers(Set<T> set, Set<T> other) {
    return set.isEmpty() || (!other.isEmpty() && set.containsAll(other));
  }
}
