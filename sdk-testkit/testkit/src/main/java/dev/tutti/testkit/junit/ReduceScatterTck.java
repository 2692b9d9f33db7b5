package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ReduceScatterParam;

/**
 * The standard tests of an executor for reduce-scatter:
 *
 * <pre>{@code
 * class StarTest implements ReduceScatterTck<StarReduceScatter> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ReduceScatterTck<E extends CollExecutorBase<ReduceScatterParam>>
    extends CollectiveTck<ReduceScatterParam, E> {}
