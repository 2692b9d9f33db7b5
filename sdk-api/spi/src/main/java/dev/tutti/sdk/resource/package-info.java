/**
 * The resources that an algorithm requests and receives: memory handles, streams, notifies, links,
 * and the sub-communicators they belong to.
 */
@NullMarked
package dev.tutti.sdk.resource;

import org.jspecify.annotations.NullMarked;
