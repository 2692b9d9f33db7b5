package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ScanParam;

/**
 * The standard tests of an executor for inclusive scan:
 *
 * <pre>{@code
 * class StarTest implements ScanTck<StarScan> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ScanTck<E extends CollExecutorBase<ScanParam>>
    extends CollectiveTck<ScanParam, E> {}
