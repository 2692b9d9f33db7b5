/**
 * The processes of a job: how they find each other, their messages, and the memory that they share.
 * This package knows neither calls nor plans.
 */
@NullMarked
package dev.tutti.host.job;

import org.jspecify.annotations.NullMarked;
