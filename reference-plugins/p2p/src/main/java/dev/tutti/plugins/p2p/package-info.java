/** Point-to-point operations. */
@NullMarked
package dev.tutti.plugins.p2p;

import org.jspecify.annotations.NullMarked;
