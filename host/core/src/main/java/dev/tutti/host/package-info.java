/**
 * The host that runs collective operations: runtime environment, context, group and request.
 *
 * <pre>{@code
 * try (Context context = Context.builder().pluginsDirectory(Path.of("plugins")).open();
 *     Group group = context.createGroup(4)) {
 *   group.run(
 *       rank -> {
 *         float[] data = {rank.rank(), 1};
 *         rank.allReduce(data, data, ReduceOp.SUM);
 *       });
 * }
 * }</pre>
 */
@NullMarked
package dev.tutti.host;

import org.jspecify.annotations.NullMarked;
