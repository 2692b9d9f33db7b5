package dev.tutti.host.group;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;

/**
 * The facts that determine the plan of a call of ranks.
 *
 * @param options the options without a deadline
 * @param inPlace whether input and output are the same memory
 */
public record CallShape(CollectiveCall call, CallOptions options, boolean inPlace) {}
