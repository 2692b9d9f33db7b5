package dev.tutti.host.rank;

import dev.tutti.host.group.MessageBindings.Bound;
import java.util.List;

/**
 * A run of this process's ranks that needed no agreement, because they knew the call.
 *
 * @param calls the calls of these ranks with their buffers, by place
 * @param bound the bound plan that they ran
 */
record KnownRun(List<RankCall> calls, Bound bound) {}
