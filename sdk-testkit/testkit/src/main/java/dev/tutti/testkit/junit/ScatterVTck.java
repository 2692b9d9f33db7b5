package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ScatterVParam;

/**
 * The standard tests of an executor for scatter with blocks of different sizes:
 *
 * <pre>{@code
 * class StarTest implements ScatterVTck<StarScatterV> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ScatterVTck<E extends CollExecutorBase<ScatterVParam>>
    extends CollectiveTck<ScatterVParam, E> {}
