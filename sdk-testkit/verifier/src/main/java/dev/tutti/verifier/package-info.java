/**
 * The testkit's core: a virtual cluster that checks algorithms, and a verifier for plans.
 *
 * <pre>{@code
 * VirtualCluster cluster = VirtualCluster.builder(Topology.flat(4)).build();
 * cluster
 *     .check(new RingAllReduce(), new AllReduceParam(cluster.comm(), FLOAT32, SUM, 1000))
 *     .requireClean();
 * }</pre>
 *
 * <p>{@link dev.tutti.verifier.rule.Rule} lists the rules that a finding can name.
 */
@NullMarked
package dev.tutti.verifier;

import org.jspecify.annotations.NullMarked;
