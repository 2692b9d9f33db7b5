/** The rules and what breaking them looks like: ids, severities, findings. */
@NullMarked
package dev.tutti.testkit.rule;

import org.jspecify.annotations.NullMarked;
