package dev.tutti.verifier.order;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static dev.tutti.sdk.resource.TransportMemType.SCRATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Cases that checkers often get wrong, each with a similar case that has the opposite verdict. */
class HardCasesTest {

  /** Every rank signals to every other rank that it has reached this point. */
  private static void exchange(int ranks, int rank, AlgResourceResponse res, int notify) {
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank) {
        Sketch.link(res, peer).post(res.mainStream(), notify);
      }
    }
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank) {
        Sketch.link(res, peer).await(res.mainStream(), notify);
      }
    }
  }

  private static DeviceMem own(AlgResourceResponse res, long offset) {
    return res.scratchMem().slice(offset, 8);
  }

  private static DeviceMem of(AlgResourceResponse res, int peer, long offset) {
    return Sketch.link(res, peer).remote(SCRATCH).slice(offset, 8);
  }

  @Test
  void orderThroughAThirdRankIsOrder() {
    assertThat(Case.of(3, 0, Algorithms.relayedBroadcast(true)).rules()).isEmpty();
    assertThat(Case.of(3, 0, Algorithms.relayedBroadcast(false)).rules())
        .containsExactly("MEM-1", "MEM-2");
  }

  /** All ranks but the first reduce into one slice of it. */
  private static BiConsumer<Integer, AlgResourceResponse> meshReduce(long stride) {
    return (rank, res) -> {
      exchange(4, rank, res, Link.READY);
      if (rank > 0) {
        Sketch.link(res, 0)
            .writeReduce(
                res.mainStream(),
                of(res, 0, stride * rank),
                own(res, 128),
                DataType.INT64,
                ReduceOp.SUM);
      }
      exchange(4, rank, res, Link.FIN);
    };
  }

  @Test
  void concurrentReductionsIntoOneSliceRaceUnlessTheyAreAtomic() {
    assertThat(Case.of(4, meshReduce(0)).rules()).containsExactly("MEM-1");
    assertThat(Case.ofAtomic(4, meshReduce(0)).rules()).isEmpty();
    assertThat(Case.of(4, meshReduce(8)).rules()).isEmpty();
  }

  @Test
  void atomicReductionsThatDoNotAgreeRace() {
    BiConsumer<Integer, AlgResourceResponse> program =
        (rank, res) -> {
          exchange(3, rank, res, Link.READY);
          if (rank > 0) {
            Sketch.link(res, 0)
                .writeReduce(
                    res.mainStream(),
                    of(res, 0, 0),
                    own(res, 128),
                    DataType.INT64,
                    rank == 1 ? ReduceOp.SUM : ReduceOp.MAX);
          }
          exchange(3, rank, res, Link.FIN);
        };
    assertThat(Case.ofAtomic(3, program).rules()).containsExactly("MEM-1");
  }

  /** A chain of messages from rank to rank while another rank writes without any signal. */
  private static BiConsumer<Integer, AlgResourceResponse> farAway(boolean tells) {
    return (rank, res) -> {
      Stream main = res.mainStream();
      if (rank == 0) {
        Sketch.link(res, 2).write(main, of(res, 2, 0), own(res, 64));
        if (tells) {
          Sketch.link(res, 1).post(main, Link.READY);
        }
        return;
      }
      if (rank == 1 && tells) {
        Sketch.link(res, 0).await(main, Link.READY);
      }
      int peer = 3 - rank;
      for (int i = 0; i < 500; i++) {
        Sketch.link(res, peer).post(main, Link.FIN);
        Sketch.link(res, peer).await(main, Link.FIN);
        Sketch.link(res, peer).post(main, Link.FIN_ACK);
        Sketch.link(res, peer).await(main, Link.FIN_ACK);
      }
      if (rank == 2) {
        main.copy(own(res, 64), own(res, 0));
      }
    };
  }

  @Test
  void aRaceIsSeenThatOneOfAThousandSchedulesShows() {
    Case found = Case.of(3, farAway(false));
    assertThat(found.rules()).containsExactly("MEM-1");
    assertThat(found.finding().actions()).extracting(ref -> ref.rank()).containsExactly(0, 2);
    assertThat(Case.of(3, farAway(true)).rules()).isEmpty();
  }

  /** A slave stream of each rank copies. */
  private static BiConsumer<Integer, AlgResourceResponse> slave(boolean forks, boolean joins) {
    return (rank, res) -> {
      Stream main = res.mainStream();
      Stream slave = res.slaveStreams().getFirst();
      if (forks) {
        main.fork(res.slaveStreams());
      }
      slave.copy(res.paramOutputMem().slice(0, 8), own(res, 0));
      if (joins) {
        main.join(res.slaveStreams());
      }
    };
  }

  @Test
  void aSlaveStreamIsForkedAndJoined() {
    assertThat(Case.of(2, 1, slave(true, true)).rules()).isEmpty();
    assertThat(Case.of(2, 1, slave(true, false)).rules()).containsExactly("SYN-5");
    assertThat(Case.of(2, 1, slave(false, true)).rules()).containsExactly("SYN-5");
  }

  @Test
  void aMissingJoinDoesNotHideWhatAPeerDoesAfterTheCall() {
    BiConsumer<Integer, AlgResourceResponse> program =
        (rank, res) -> {
          Stream main = res.mainStream();
          Stream slave = res.slaveStreams().getFirst();
          main.fork(res.slaveStreams());
          if (rank == 0) {
            Sketch.link(res, 1).post(slave, Link.READY);
            Sketch.link(res, 1).await(slave, Link.FIN);
          } else {
            Link link = Sketch.link(res, 0);
            link.await(main, Link.READY);
            link.write(main, link.remote(PARAM_OUTPUT).slice(0, 8), own(res, 0));
            link.post(main, Link.FIN);
            link.write(main, link.remote(PARAM_OUTPUT).slice(8, 8), own(res, 0));
            main.join(res.slaveStreams());
            slave.copy(own(res, 8), own(res, 16));
          }
        };
    Case found = Case.of(2, 1, program);
    assertThat(found.rules()).contains("MEM-2", "SYN-5");
    assertThat(found.findings.toList())
        .filteredOn(f -> f.rule() == Rule.OUTSIDE_CALL)
        .as("only the second write")
        .hasSize(1)
        .first()
        .extracting(Finding::message)
        .asString()
        .contains("param-output[8, 16)");
  }

  /** A rank reads its neighbour's scratch, which the neighbour has filled. */
  private static BiConsumer<Integer, AlgResourceResponse> shareScratch(boolean closes) {
    return (rank, res) -> {
      Stream main = res.mainStream();
      main.copy(own(res, 0), res.paramOutputMem().slice(0, 8));
      exchange(3, rank, res, Link.READY);
      int peer = (rank + 1) % 3;
      Sketch.link(res, peer).read(main, own(res, 64), of(res, peer, 0));
      if (closes) {
        exchange(3, rank, res, Link.FIN);
      }
    };
  }

  @Test
  void scratchIsSharedByTwoOperations() {
    Case open = Case.of(3, shareScratch(false));
    Case closed = Case.of(3, shareScratch(true));
    assertThat(open.rules()).isEmpty();
    assertThat(open.rulesBefore(open)).contains("SEQ-1");
    assertThat(closed.rulesBefore(closed)).isEmpty();
    assertThat(closed.rulesBefore(open)).isEmpty();
    Finding race =
        open.findingsBefore(open).toList().stream()
            .filter(f -> f.rule() == Rule.SEQUENCE_RACE)
            .findFirst()
            .orElseThrow();
    assertThat(race.message())
        .contains("in two operations one after the other", "scratch[0, 8)", "reads", "writes");
    assertThat(race.actions()).hasSize(2);
    assertThat(race.explanation()).contains("can know that the first action is done");
  }

  /**
   * A broadcast along a chain from the root. Each rank writes into the next rank's scratch without
   * waiting. All ranks signal to the root when they have the data.
   */
  private static Case chain(int root) {
    return Case.of(
        3,
        (rank, res) -> {
          Stream main = res.mainStream();
          int place = Math.floorMod(rank - root, 3);
          int next = (rank + 1) % 3;
          if (place > 0) {
            Sketch.link(res, (rank + 2) % 3).await(main, Link.FIN);
          }
          if (place < 2) {
            Sketch.link(res, next).write(main, of(res, next, 0), own(res, 64));
            Sketch.link(res, next).post(main, Link.FIN);
          }
          for (int peer = 0; peer < 3; peer++) {
            if (place == 0 && peer != rank) {
              Sketch.link(res, peer).await(main, Link.FIN_ACK);
            } else if (place > 0 && peer == root) {
              Sketch.link(res, root).post(main, Link.FIN_ACK);
            }
          }
        });
  }

  @Test
  void aNotifyIsLostBetweenOperationsWhenTheRootChanges() {
    assertThat(chain(0).rules()).isEmpty();
    assertThat(chain(0).rulesBefore(chain(0))).as("the root knows that all is done").isEmpty();
    assertThat(chain(0).rulesBefore(chain(1))).containsExactly("SEQ-2");
    Finding lost = chain(0).findingsBefore(chain(1)).toList().getFirst();
    assertThat(lost.message())
        .startsWith("rank 1 stream 0 'post FIN to rank 2'")
        .contains("rank 2 stream 0 'await FIN from rank 1'");
    assertThat(lost.explanation())
        .contains("when the first operation returns, only ranks 0, 2 can know")
        .contains(
            "before the second action, the second operation has received signals only from rank 1");
  }

  /** Consecutive messages, with an acknowledgement after every few of them. */
  private static Case pipeline(int messages, int window) {
    return Case.of(
        2,
        (rank, res) -> {
          Link link = Sketch.link(res, 1 - rank);
          for (int i = 0; i < messages; i++) {
            if (rank == 0) {
              link.post(res.mainStream(), Link.FIN);
            } else {
              link.await(res.mainStream(), Link.FIN);
            }
            if (i % window == window - 1 && rank == 0) {
              link.await(res.mainStream(), Link.FIN_ACK);
            } else if (i % window == window - 1) {
              link.post(res.mainStream(), Link.FIN_ACK);
            }
          }
        });
  }

  @Test
  void theDepthIsTheSmallestThatLosesNothing() {
    assertThat(pipeline(12, 1).summary.notifyDepth()).isEqualTo(1);
    assertThat(pipeline(12, 1).rules()).isEmpty();
    assertThat(pipeline(12, 3).summary.notifyDepth()).isEqualTo(3);
    assertThat(pipeline(12, 3).rules()).containsExactly("SYN-2");
    assertThat(pipeline(12, 3).finding().message())
        .contains("a notify that can hold 3 signals would lose none");
    assertThat(pipeline(12, 99).summary.notifyDepth()).isEqualTo(12);
  }

  @Test
  void aStuckPlanNeedsNoDepthAndIsShownAsACycle() {
    Case stuck =
        Case.of(
            2,
            (rank, res) -> {
              Link link = Sketch.link(res, 1 - rank);
              link.await(res.mainStream(), Link.READY);
              link.post(res.mainStream(), Link.READY);
            });
    assertThat(stuck.summary.isComplete()).isFalse();
    assertThat(stuck.summary.notifyDepth()).isEqualTo(OrderSummary.UNBOUNDED);
    assertThat(stuck.rules()).containsExactly("SYN-1");
    assertThat(stuck.rulesBefore(stuck)).isEmpty();
    assertThat(stuck.finding().actions()).extracting(ref -> ref.action()).containsExactly(0, 0);
    assertThat(stuck.finding().explanation().lines())
        .hasSize(2)
        .first()
        .asString()
        .matches(
            "rank 0 stream 0 'await READY from rank 1'.* \\(action 0\\) waits for rank 1 stream 0"
                + " 'post READY to rank 0'.* \\(action 1\\), which comes after rank 1 stream 0"
                + " 'await READY from rank 0'.* \\(action 0\\)");
  }

  @Test
  void aRaceSaysHowFarWordHasComeAndWhatWouldOrderIt() {
    Case found =
        Case.of(
            2,
            (rank, res) -> {
              Link link = Sketch.link(res, 1 - rank);
              if (rank == 0) {
                link.post(res.mainStream(), Link.READY);
                res.mainStream().copy(own(res, 0), own(res, 64));
                link.post(res.mainStream(), Link.FIN);
              } else {
                link.await(res.mainStream(), Link.READY);
                link.read(res.mainStream(), own(res, 64), of(res, 0, 0));
                link.await(res.mainStream(), Link.FIN);
              }
            });
    assertThat(found.rules()).containsExactly("MEM-1");
    String text = found.finding().explanation();
    assertThat(found.finding().message())
        .contains("rank 0's scratch[0, 8)", "and nothing orders them");
    assertThat(text)
        .containsPattern("ordered after rank 0 stream 0 up to action 0, post READY to rank 1")
        .containsPattern("ordered before rank \\d stream \\d from action 2, await FIN from rank 0")
        .contains("to order them: let rank 0 stream 0 post a notify after the first");
  }

  @Test
  void theSearchEndsWhenEnoughWasFoundAndSaysSo() {
    Case found =
        Case.of(
            2,
            (rank, res) -> {
              for (int i = 0; i < 2000; i++) {
                res.mainStream().copy(own(res, 32 + 8L * i), own(res, 0));
              }
              if (rank == 0) {
                for (int i = 0; i < 2000; i++) {
                  Sketch.link(res, 1).read(res.mainStream(), own(res, 8), of(res, 1, 32 + 8L * i));
                }
              }
            });
    assertThat(found.rules()).containsExactly("MEM-1");
    assertThat(found.findings.toList()).hasSize(1);
    assertThat(found.finding().message())
        .contains("the search ended after 1000 cases of this rule, so there may be more")
        .contains("(and 999 more like it)");
  }
}
