/**
 * Ranks as processes of one machine: how they find each other, what they tell each other, and the
 * memory that they share. Knows neither calls nor plans.
 */
@NullMarked
package dev.tutti.host.job;

import org.jspecify.annotations.NullMarked;
