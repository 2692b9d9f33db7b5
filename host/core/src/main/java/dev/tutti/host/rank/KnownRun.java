package dev.tutti.host.rank;

import dev.tutti.host.group.MessageBindings.Bound;
import java.util.List;

/**
 * What the ranks of this process have run together, as they knew the call.
 *
 * @param calls of each of them, with the buffers, by place
 * @param bound what they ran
 */
record KnownRun(List<RankCall> calls, Bound bound) {}
