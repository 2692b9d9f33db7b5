package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.GatherParam;

/**
 * The standard tests of an executor for gather:
 *
 * <pre>{@code
 * class StarTest implements GatherTck<StarGather> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface GatherTck<E extends CollExecutorBase<GatherParam>>
    extends CollectiveTck<GatherParam, E> {}
