package dev.tutti.host.rank;

import dev.tutti.sdk.ErrorCode;

/**
 * The end of a rank's body, after which it makes no more calls.
 *
 * @param order the number of ranks that departed before it
 * @param code the code of the failure of calls that wait for it
 * @param reason a sentence about the rank
 */
record RankExit(long order, ErrorCode code, String reason) {}
