package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ReduceParam;

/**
 * The standard tests of an executor for reduce:
 *
 * <pre>{@code
 * class StarTest implements ReduceTck<StarReduce> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ReduceTck<E extends CollExecutorBase<ReduceParam>>
    extends CollectiveTck<ReduceParam, E> {}
