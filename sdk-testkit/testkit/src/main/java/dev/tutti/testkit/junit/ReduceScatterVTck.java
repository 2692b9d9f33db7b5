package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * The standard tests of an executor for reduce-scatter with blocks of different sizes:
 *
 * <pre>{@code
 * class StarTest implements ReduceScatterVTck<StarReduceScatterV> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ReduceScatterVTck<E extends CollExecutorBase<ReduceScatterVParam>>
    extends CollectiveTck<ReduceScatterVParam, E> {}
