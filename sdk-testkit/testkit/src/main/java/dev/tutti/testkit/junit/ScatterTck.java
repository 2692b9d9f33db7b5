package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ScatterParam;

/**
 * The standard tests of an executor for scatter:
 *
 * <pre>{@code
 * class StarTest implements ScatterTck<StarScatter> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ScatterTck<E extends CollExecutorBase<ScatterParam>>
    extends CollectiveTck<ScatterParam, E> {}
