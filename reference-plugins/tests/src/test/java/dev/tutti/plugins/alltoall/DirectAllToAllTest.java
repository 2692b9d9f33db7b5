package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllTck;

class DirectAllToAllTest implements AllToAllTck<DirectAllToAll> {}
