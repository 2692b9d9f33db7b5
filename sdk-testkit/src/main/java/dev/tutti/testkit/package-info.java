/**
 * The testkit's core: a virtual cluster that checks algorithms, and its parts for those who have a
 * plan or results of their own.
 *
 * <pre>{@code
 * VirtualCluster cluster = VirtualCluster.builder(Topology.flat(4)).build();
 * cluster
 *     .check(new RingAllReduce(), new AllReduceParam(cluster.comm(), FLOAT32, SUM, 1000))
 *     .requireClean();
 * }</pre>
 *
 * <p>The rules that a {@link dev.tutti.testkit.Finding} can name:
 *
 * <table>
 *   <caption>Rules</caption>
 *   <tr><th>rule</th><th>what is wrong</th></tr>
 *   <tr><td>CAP-1</td><td>the executor refuses the request that was to be checked</td></tr>
 *   <tr><td>CAP-2</td><td>the executor accepts the request but fails to plan it</td></tr>
 *   <tr><td>PUR-1</td><td>equal arguments give different answers</td></tr>
 *   <tr><td>PUR-2</td><td>{@code supports} differs between ranks</td></tr>
 *   <tr><td>RES-1</td><td>a resource is requested and not used</td></tr>
 *   <tr><td>RES-2</td><td>a resource is used and not requested</td></tr>
 *   <tr><td>LNK-1</td><td>two ranks disagree about a link</td></tr>
 *   <tr><td>LNK-2</td><td>a peer's input or output is accessed in OP_BASE mode</td></tr>
 *   <tr><td>SYN-1</td><td>deadlock</td></tr>
 *   <tr><td>SYN-2</td><td>a post can come before the previous one has been taken: it is lost</td></tr>
 *   <tr><td>SYN-3</td><td>a notify is left over at the end</td></tr>
 *   <tr><td>SYN-4</td><td>an await can take the post that is meant for another one</td></tr>
 *   <tr><td>SYN-5</td><td>a slave stream is not started or not awaited by the main stream</td></tr>
 *   <tr><td>MEM-1</td><td>data race</td></tr>
 *   <tr><td>MEM-2</td><td>a rank's buffers are accessed before it has entered the operation, or
 *       after it has left it</td></tr>
 *   <tr><td>MEM-3</td><td>an action is out of bounds, or its operands overlap</td></tr>
 *   <tr><td>SEQ-1</td><td>data race between two operations that follow one another</td></tr>
 *   <tr><td>VAL-1</td><td>wrong value</td></tr>
 *   <tr><td>VAL-2</td><td>an input has been changed</td></tr>
 *   <tr><td>VAL-3</td><td>an output that must stay as it is has been changed</td></tr>
 * </table>
 */
@NullMarked
package dev.tutti.testkit;

import org.jspecify.annotations.NullMarked;
