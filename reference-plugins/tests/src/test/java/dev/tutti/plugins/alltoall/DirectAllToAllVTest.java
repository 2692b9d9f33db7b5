package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllVTck;

class DirectAllToAllVTest implements AllToAllVTck<DirectAllToAllV> {}
