package dev.tutti.host.rank;

import dev.tutti.sdk.ErrorCode;

/**
 * The end of a rank's body, after which it makes no more calls.
 *
 * @param order how many ranks departed before it
 * @param code what calls that wait for it fail with
 * @param reason a sentence about the rank
 */
record RankExit(long order, ErrorCode code, String reason) {}
