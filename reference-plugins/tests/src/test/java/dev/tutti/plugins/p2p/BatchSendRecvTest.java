package dev.tutti.plugins.p2p;

import dev.tutti.testkit.junit.BatchSendRecvTck;

class BatchSendRecvTest implements BatchSendRecvTck<BatchSendRecvExecutor> {}
