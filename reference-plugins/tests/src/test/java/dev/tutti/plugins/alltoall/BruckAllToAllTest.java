package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllTck;

class BruckAllToAllTest implements AllToAllTck<BruckAllToAll> {}
