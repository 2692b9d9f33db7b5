/** The rules and what breaking them looks like: ids, severities, findings. */
@NullMarked
package dev.tutti.verifier.rule;

import org.jspecify.annotations.NullMarked;
