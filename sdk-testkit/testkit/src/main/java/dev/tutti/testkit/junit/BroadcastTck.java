package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;

/**
 * The standard tests of an executor for broadcast:
 *
 * <pre>{@code
 * class StarTest implements BroadcastTck<StarBroadcast> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface BroadcastTck<E extends CollExecutorBase<BroadcastParam>>
    extends CollectiveTck<BroadcastParam, E> {}
