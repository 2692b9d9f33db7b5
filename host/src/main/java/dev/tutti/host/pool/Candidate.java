package dev.tutti.host.pool;

import dev.tutti.host.plugin.Algorithm;

/**
 * An algorithm that was looked at for a request.
 *
 * @param algorithm the algorithm
 * @param isSupported whether it takes the request
 * @param reason why not; empty if it does
 * @param predictedSeconds the time it declares, or infinity if it declares none
 */
public record Candidate(
    Algorithm algorithm, boolean isSupported, String reason, double predictedSeconds) {}
