package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;

/**
 * The standard tests of an executor for all-reduce:
 *
 * <pre>{@code
 * class RingTest implements AllReduceTck<RingAllReduce> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface AllReduceTck<E extends CollExecutorBase<AllReduceParam>>
    extends CollectiveTck<AllReduceParam, E> {}
