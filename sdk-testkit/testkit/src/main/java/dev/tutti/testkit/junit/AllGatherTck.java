package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * The standard tests of an executor for all-gather:
 *
 * <pre>{@code
 * class StarTest implements AllGatherTck<StarAllGather> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface AllGatherTck<E extends CollExecutorBase<AllGatherParam>>
    extends CollectiveTck<AllGatherParam, E> {}
