package dev.tutti.host.group;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;

/**
 * What the plan of a call of ranks depends on.
 *
 * @param options without a deadline
 * @param inPlace whether input and output are one memory
 */
public record CallShape(CollectiveCall call, CallOptions options, boolean inPlace) {}
