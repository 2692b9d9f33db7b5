package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllToAllParam;

/**
 * The standard tests of an executor for all-to-all:
 *
 * <pre>{@code
 * class StarTest implements AllToAllTck<StarAllToAll> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface AllToAllTck<E extends CollExecutorBase<AllToAllParam>>
    extends CollectiveTck<AllToAllParam, E> {}
