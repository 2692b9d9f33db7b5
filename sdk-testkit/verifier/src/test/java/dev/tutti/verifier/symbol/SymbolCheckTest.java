package dev.tutti.verifier.symbol;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Findings name every fault, with its element and the actions that made it. */
class SymbolCheckTest {

  private static final int RANKS = 3;
  private static final AllReduceParam SUM = allReduce(DataType.INT32, ReduceOp.SUM);

  private static AllReduceParam allReduce(DataType type, ReduceOp op) {
    return new AllReduceParam(Symbols.comm(RANKS), type, op, 10);
  }

  /** Checks a plan in which all ranks wait for each other before and after they do something. */
  private static <P extends OpParam> List<Finding> check(
      P param, BiConsumer<P, AlgResourceResponse> body) {
    return Symbols.check(sketch(body), param);
  }

  private static <P extends OpParam> Sketch<P> sketch(BiConsumer<P, AlgResourceResponse> body) {
    return new Sketch<>(
        param -> Sketch.mesh(param, PARAM_INPUT, PARAM_OUTPUT).withScratchMemSize(256),
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          body.accept(param, res);
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  private static DeviceMem mem(OpParam param, AlgResourceResponse res, int rank) {
    return mem(param, res, rank, PARAM_INPUT);
  }

  private static DeviceMem mem(
      OpParam param, AlgResourceResponse res, int rank, TransportMemType type) {
    return rank == param.comm().rank() ? res.mem(type) : Sketch.link(res, rank).remote(type);
  }

  /** Sums the inputs of some ranks. */
  private static void sum(
      AllReduceParam param, AlgResourceResponse res, DeviceMem dst, int... ranks) {
    List<DeviceMem> sources = new ArrayList<>();
    for (int rank : ranks) {
      sources.add(mem(param, res, rank));
    }
    res.mainStream().reduceFrom(dst, sources, param.dataType(), param.reduceOp());
  }

  private static Finding only(List<Finding> findings, Rule rule) {
    assertThat(findings).extracting(Finding::rule).containsExactly(rule);
    return findings.getFirst();
  }

  @Test
  void theFrameOfTheFaultyOnesIsRight() {
    assertThat(check(SUM, (param, res) -> sum(param, res, res.paramOutputMem(), 0, 1, 2)))
        .isEmpty();
  }

  @Test
  void aMissingContributionIsNamed() {
    Finding finding =
        only(
            check(SUM, (param, res) -> sum(param, res, res.paramOutputMem(), 0, 1)),
            Rule.WRONG_CONTENTS);

    assertThat(finding.message())
        .isEqualTo(
            "rank 0's output elements 0 to 9, here 0: expected the sum of element 0 of ranks 0 to 2;"
                + " rank 2's element 0 is missing (and 2 more like it)");
    assertThat(finding.explanation())
        .startsWith(
            "value: (a0+a1)\nit comes through:\n  rank 0 stream 0 'reduceFrom param-output[0+40]")
        .contains("SymbolCheckTest.java:");
    assertThat(finding.actions()).extracting(ActionRef::rank).containsExactly(0);
  }

  @Test
  void manyMissingContributionsAreNamedTogether() {
    Finding finding =
        only(
            check(
                new AllReduceParam(Symbols.comm(5), DataType.INT32, ReduceOp.SUM, 1),
                (param, res) -> sum(param, res, res.paramOutputMem(), 0, 2)),
            Rule.WRONG_CONTENTS);

    assertThat(finding.message())
        .contains("of ranks 0 to 4; element 0 of ranks 1, 3 to 4 is missing");
  }

  @Test
  void aDoubleContributionIsShownWhereItMeetsItself() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  DeviceMem part = res.scratchMem().slice(0, 40);
                  sum(param, res, part, 0, 1);
                  sum(param, res, res.paramOutputMem(), 1, 2);
                  res.mainStream()
                      .reduce(res.paramOutputMem(), part, param.dataType(), param.reduceOp());
                }),
            Rule.WRONG_CONTENTS);

    assertThat(finding.message()).contains("; rank 1's element 0 is in it twice");
    assertThat(finding.explanation())
        .contains("value: ((a1+a2)+(a0+a1))")
        .contains("rank 1's element 0 comes through:\n  rank 0 stream 0 'reduce param-output[0+40]")
        .contains("  <- rank 0 stream 0 'reduceFrom param-output[0+40]")
        .contains("and it is in 2 operands of rank 0 stream 0 'reduce param-output[0+40]")
        .contains("; it comes to the second through:\n  rank 0 stream 0 'reduceFrom scratch[0+40]");
    assertThat(finding.actions()).hasSize(3);
  }

  @Test
  void aForeignContributionAndTheMissingOneAreNamed() {
    Finding finding =
        only(
            check(
                new ReduceParam(Symbols.comm(2), DataType.INT32, ReduceOp.SUM, 2, 0),
                (param, res) -> {
                  if (param.comm().rank() == 0) {
                    DeviceMem other = mem(param, res, 1);
                    DeviceMem swapped = res.scratchMem().slice(0, 8);
                    Link link = Sketch.link(res, 1);
                    link.read(res.mainStream(), swapped.slice(0, 4), other.slice(4, 4));
                    link.read(res.mainStream(), swapped.slice(4, 4), other.slice(0, 4));
                    res.mainStream()
                        .reduceFrom(
                            res.paramOutputMem(),
                            List.of(res.paramInputMem(), swapped),
                            DataType.INT32,
                            ReduceOp.SUM);
                  }
                }),
            Rule.WRONG_CONTENTS);

    assertThat(finding.message())
        .isEqualTo(
            "rank 0's output elements 0 to 1, here 0: expected the sum of element 0 of ranks 0 to 1;"
                + " rank 1's element 0 is missing (another element of that rank is there), rank 1's"
                + " element 1 is in it and does not belong there");
    assertThat(finding.explanation())
        .contains("value: (a0+a1[1])")
        .contains("rank 1's element 1 comes through:")
        .contains("<- rank 0 stream 0 'copy scratch[0+4] = rank 1's param-input[4+4]'");
  }

  @Test
  void aBlockThatIsOneElementOffIsNamed() {
    List<Finding> findings =
        check(
            new AllGatherParam(Symbols.comm(2), DataType.INT16, 4),
            (param, res) -> {
              for (int rank = 0; rank < 2; rank++) {
                DeviceMem dst = res.paramOutputMem().slice(rank * 8L, 8);
                DeviceMem src = mem(param, res, rank);
                if (rank == param.comm().rank()) {
                  res.mainStream().copy(dst, src);
                } else {
                  Link link = Sketch.link(res, rank);
                  link.read(res.mainStream(), dst.slice(0, 6), src.slice(2, 6));
                  link.read(res.mainStream(), dst.slice(6, 2), src.slice(0, 2));
                }
              }
            });

    assertThat(findings).extracting(Finding::rule).containsOnly(Rule.WRONG_CONTENTS).hasSize(2);
    assertThat(findings.getFirst().message())
        .startsWith(
            "rank 1's output elements 0 to 2, here 0: expected element 0 of rank 0; it is rank 0's"
                + " element 1");
  }

  @Test
  void anotherTypeOfTheSameSizeIsAWrongReduction() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) ->
                    res.mainStream()
                        .reduceFrom(
                            res.paramOutputMem(),
                            List.of(mem(param, res, 0), mem(param, res, 1), mem(param, res, 2)),
                            DataType.FLOAT32,
                            ReduceOp.SUM)),
            Rule.WRONG_REDUCTION);

    assertThat(finding.message())
        .startsWith("rank 0's output elements 0 to 9, here 0: the operation asks for sum of int32;")
        .contains("rank 0 stream 0 'reduceFrom param-output[0+40]")
        .contains("reduces it by sum as float32");
    assertThat(finding.actions()).hasSize(1);
  }

  @Test
  void aSumFollowedByAMaximumOnARawSourceIsAWrongReduction() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  sum(param, res, res.scratchMem().slice(0, 40), 0, 1);
                  res.mainStream()
                      .reduceFrom(
                          res.paramOutputMem(),
                          List.of(res.scratchMem().slice(0, 40), mem(param, res, 2)),
                          DataType.INT32,
                          ReduceOp.MAX);
                }),
            Rule.WRONG_REDUCTION);

    assertThat(finding.message()).contains("reduces it by max as int32");
    assertThat(finding.explanation()).startsWith("value: ((a0+a1) max a2)");
  }

  @Test
  void aReductionInAnOperationWithoutOneIsWrong() {
    Finding finding =
        only(
            check(
                new AllGatherParam(Symbols.comm(1), DataType.INT32, 4),
                (param, res) -> {
                  res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
                  res.mainStream()
                      .reduce(
                          res.paramOutputMem(), res.paramInputMem(), DataType.INT32, ReduceOp.MAX);
                }),
            Rule.WRONG_REDUCTION);

    assertThat(finding.message()).contains("the operation asks for no reduction;");
  }

  @Test
  void elementsTornApartAndReducedAreNamed() {
    List<Finding> findings =
        check(
            SUM,
            (param, res) -> {
              DeviceMem mixed = res.scratchMem().slice(0, 40);
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                main.copy(mixed, res.paramInputMem());
                Sketch.link(res, 1).read(main, mixed.slice(6, 4), mem(param, res, 1).slice(6, 4));
                main.reduceFrom(
                    res.paramOutputMem(),
                    List.of(mixed, mem(param, res, 1), mem(param, res, 2)),
                    DataType.INT32,
                    ReduceOp.SUM);
              } else {
                sum(param, res, res.paramOutputMem(), 0, 1, 2);
              }
            });

    assertThat(only(findings, Rule.WRONG_CONTENTS).message())
        .startsWith(
            "rank 0's output elements 1 to 2, here 1: expected the sum of element 1 of ranks 0 to"
                + " 2; it consists of parts of different values: <a0|a1[byte 6]>, reduced by")
        .doesNotContain("more like it");
  }

  @Test
  void anOutputThatNobodyWritesIsNamed() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  if (param.comm().rank() != 1) {
                    sum(param, res, res.paramOutputMem(), 0, 1, 2);
                  }
                }),
            Rule.WRONG_CONTENTS);

    assertThat(finding.message())
        .isEqualTo(
            "rank 1's output elements 0 to 9, here 0: expected the sum of element 0 of ranks 0 to"
                + " 2; nothing has written it");
  }

  @Test
  void aReadOfUndefinedMemoryIsTheOnlyFindingAboutWhatItMakes() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  DeviceMem early = res.scratchMem().slice(0, 40);
                  res.mainStream()
                      .reduceFrom(
                          res.paramOutputMem(),
                          List.of(mem(param, res, 0), mem(param, res, 1), early),
                          DataType.INT32,
                          ReduceOp.SUM);
                }),
            Rule.UNDEFINED_READ);

    assertThat(finding.message())
        .startsWith("rank 2 stream 0 'reduceFrom param-output[0+40]")
        .endsWith(
            "reads bytes 0 to 39 of rank 2's scratch, which nothing has written before (and 2 more"
                + " like it)");
    assertThat(finding.explanation()).isEqualTo("no action of the plan writes it");
  }

  @Test
  void aSumOfUndefinedMemoryIsFoundEvenIfNobodyUsesIt() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  sum(param, res, res.paramOutputMem(), 0, 1, 2);
                  DeviceMem scratch = res.scratchMem();
                  res.mainStream()
                      .reduceFrom(
                          res.cclOutputMem().slice(0, 20),
                          List.of(scratch.slice(0, 20), scratch.slice(0, 20)),
                          param.dataType(),
                          param.reduceOp());
                }),
            Rule.UNDEFINED_READ);

    assertThat(finding.message()).contains("'s scratch, which nothing has written before");
  }

  @Test
  void aReadThatComesTooEarlyNamesTheWriter() {
    Finding finding =
        only(
            check(
                new AllGatherParam(Symbols.comm(1), DataType.INT32, 4),
                (param, res) -> {
                  res.mainStream().copy(res.paramOutputMem(), res.scratchMem().slice(0, 16));
                  res.mainStream().copy(res.scratchMem().slice(0, 16), res.paramInputMem());
                }),
            Rule.UNDEFINED_READ);

    assertThat(finding.explanation())
        .startsWith(
            "it is written later, first by rank 0 stream 0 'copy scratch[0+16] = param-input[0+16]'");
    assertThat(finding.actions()).hasSize(2);
  }

  @Test
  void aChangedInputIsNamedEvenIfTheOutputIsRight() {
    Finding finding =
        only(
            check(
                SUM,
                (param, res) -> {
                  sum(param, res, res.paramOutputMem(), 0, 1, 2);
                  Sketch.exchange(param.comm(), res, Link.READY);
                  if (param.comm().rank() == 1) {
                    DeviceMem third = res.paramInputMem().slice(12, 4);
                    res.mainStream()
                        .reduce(
                            third, res.paramOutputMem().slice(0, 4), DataType.INT32, ReduceOp.SUM);
                  }
                }),
            Rule.INPUT_WRITTEN);

    assertThat(finding.message())
        .startsWith(
            "rank 1's input must not change; bytes 12 to 15 of rank 1's param-input are changed,"
                + " last by rank 1 stream 0 'reduce param-input[12+4]");
  }

  @Test
  void anInputThatGetsAnotherElementHasChanged() {
    List<Finding> findings =
        check(
            SUM,
            (param, res) -> {
              sum(param, res, res.paramOutputMem(), 0, 1, 2);
              Sketch.exchange(param.comm(), res, Link.READY);
              DeviceMem in = res.paramInputMem();
              if (param.comm().rank() == 0) {
                res.mainStream().copy(in.slice(0, 4), in.slice(4, 4));
              } else if (param.comm().rank() == 1) {
                Link link = Sketch.link(res, 2);
                link.read(res.mainStream(), in.slice(8, 4), link.remote(PARAM_INPUT).slice(8, 4));
              }
            });

    assertThat(findings)
        .extracting(Finding::rule)
        .containsExactly(Rule.INPUT_WRITTEN, Rule.INPUT_WRITTEN);
    assertThat(findings.get(0).message()).contains("bytes 0 to 3 of rank 0's param-input");
    assertThat(findings.get(0).explanation()).startsWith("value: a0[1]\n");
    assertThat(findings.get(1).message()).contains("bytes 8 to 11 of rank 1's param-input");
    assertThat(findings.get(1).explanation()).startsWith("value: a2\n");
  }

  @Test
  void inPlaceARankWithoutAResultKeepsItsInput() {
    ExclusiveScanParam scan =
        new ExclusiveScanParam(
            Symbols.comm(2), "", AlgOptions.none(), DataType.INT32, ReduceOp.SUM, 4, true);
    List<Finding> findings =
        check(
            scan,
            (param, res) -> {
              if (param.comm().rank() == 1) {
                Sketch.link(res, 0)
                    .read(res.mainStream(), res.paramOutputMem(), mem(param, res, 0));
                Sketch.link(res, 0)
                    .write(
                        res.mainStream(),
                        mem(param, res, 0).slice(0, 4),
                        res.paramOutputMem().slice(4, 4));
              }
            });

    assertThat(only(findings, Rule.INPUT_WRITTEN).message())
        .startsWith("rank 0's input must not change; bytes 0 to 3 of rank 0's in-place buffer");
  }

  @Test
  void elementsThatStartInsideElementsAreNamed() {
    List<Finding> findings =
        check(
            allReduce(DataType.INT16, ReduceOp.SUM),
            (param, res) -> {
              DeviceMem out = res.paramOutputMem();
              Stream main = res.mainStream();
              List<DeviceMem> inputs =
                  List.of(mem(param, res, 0), mem(param, res, 1), mem(param, res, 2));
              sum(param, res, out, 0, 1, 2);
              main.reduceFrom(
                  out.slice(3, 4),
                  inputs.stream().map(input -> input.slice(3, 4)).toList(),
                  DataType.INT16,
                  ReduceOp.SUM);
            });

    assertThat(only(findings, Rule.WRONG_CONTENTS).message())
        .contains("here 1: expected the sum of element 1 of ranks 0 to 2; it consists of")
        .contains("it consists of parts of different values: <((a0+a1)+a2)|((a0[byte 3]+");
  }

  @Test
  void operandsThatStartInsideElementsAreNamed() {
    List<Finding> findings =
        check(
            new ReduceParam(Symbols.comm(2), DataType.INT32, ReduceOp.SUM, 2, 0),
            (param, res) -> {
              if (param.comm().rank() == 0) {
                DeviceMem sum = res.scratchMem().slice(0, 4);
                res.mainStream()
                    .reduceFrom(
                        sum,
                        List.of(mem(param, res, 0).slice(2, 4), mem(param, res, 1).slice(2, 4)),
                        DataType.INT32,
                        ReduceOp.SUM);
                res.mainStream().copy(res.paramOutputMem().slice(0, 4), sum);
                res.mainStream().copy(res.paramOutputMem().slice(4, 4), sum);
              }
            });

    assertThat(findings.getFirst().message())
        .contains("it is made of bytes that are not whole elements: a0[byte 2], reduced by rank 0");
  }

  @Test
  void anInputThatIsRestoredHasNotChanged() {
    assertThat(
            check(
                SUM,
                (param, res) -> {
                  DeviceMem saved = res.scratchMem().slice(0, 40);
                  sum(param, res, res.paramOutputMem(), 0, 1, 2);
                  Sketch.exchange(param.comm(), res, Link.READY);
                  res.mainStream().copy(saved, res.paramInputMem());
                  res.mainStream().copy(res.paramInputMem(), res.paramOutputMem());
                  res.mainStream().copy(res.paramInputMem(), saved);
                }))
        .isEmpty();
  }

  @Test
  void inPlaceOnlyRanksWithAResultMayChangeTheirBuffer() {
    ReduceParam reduce =
        new ReduceParam(
            Symbols.comm(2), "", AlgOptions.none(), DataType.INT32, ReduceOp.SUM, 4, 1, true);
    List<Finding> findings =
        check(
            reduce,
            (param, res) -> {
              if (param.comm().rank() == 1) {
                Sketch.link(res, 0)
                    .readReduce(
                        res.mainStream(),
                        res.paramOutputMem(),
                        mem(param, res, 0),
                        DataType.INT32,
                        ReduceOp.SUM);
                Sketch.link(res, 0)
                    .write(
                        res.mainStream(),
                        mem(param, res, 0).slice(0, 4),
                        res.paramOutputMem().slice(0, 4));
              }
            });

    assertThat(only(findings, Rule.INPUT_WRITTEN).message())
        .contains("bytes 0 to 3 of rank 0's in-place buffer are changed");
  }

  @Test
  void anOutputThatIsWrittenWhereThereIsNoResultIsNamed() {
    List<Finding> findings =
        Symbols.check(
            new Sketch<>(
                param -> Algorithms.chainScan().calcResRequest(param),
                (param, res) -> {
                  Algorithms.chainScan().orchestrate(param, res);
                  if (param.comm().rank() == 0) {
                    res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
                  }
                }),
            new ExclusiveScanParam(Symbols.comm(RANKS), DataType.INT32, ReduceOp.SUM, 4));

    assertThat(only(findings, Rule.OUTPUT_WRITTEN).message())
        .startsWith(
            "the operation gives rank 0 no result, so its output must not change; bytes 0 to 15 of"
                + " rank 0's param-output are changed, last by rank 0 stream 0 'copy"
                + " param-output[0+16]");
  }

  @Test
  void faultsOfDifferentKindsAreAllFound() {
    List<Finding> findings =
        check(
            SUM,
            (param, res) -> {
              DeviceMem out = res.paramOutputMem();
              Stream main = res.mainStream();
              switch (param.comm().rank()) {
                case 0 -> sum(param, res, out, 0, 1);
                case 1 -> sum(param, res, out, 0, 1, 2, 2);
                default ->
                    main.reduceFrom(
                        out,
                        List.of(mem(param, res, 0), mem(param, res, 1)),
                        DataType.INT32,
                        ReduceOp.MIN);
              }
            });

    assertThat(findings)
        .extracting(finding -> finding.rule().id() + finding.message().substring(0, 6))
        .containsExactlyInAnyOrder("SEM-1rank 0", "SEM-1rank 1", "SEM-2rank 2", "SEM-1rank 2");
  }

  @ParameterizedTest
  @EnumSource(
      value = ReduceOp.class,
      names = {"MAX", "MIN", "BAND", "BOR"})
  void anOperandMayBeTakenTwiceWhereThatDoesNoHarm(ReduceOp op) {
    BiConsumer<AllReduceParam, AlgResourceResponse> twice =
        (param, res) -> sum(param, res, res.paramOutputMem(), 0, 1, 2, 1);
    BiConsumer<AllReduceParam, AlgResourceResponse> twiceAndNever =
        (param, res) -> sum(param, res, res.paramOutputMem(), 0, 1, 1, 1);

    assertThat(check(allReduce(DataType.INT32, op), twice)).isEmpty();
    assertThat(
            only(check(allReduce(DataType.INT32, op), twiceAndNever), Rule.WRONG_CONTENTS)
                .message())
        .contains("rank 2's element 0 is missing");
  }

  @Test
  void sourcesThatAreTakenManyTimesDoNotWrapAround() {
    List<Finding> findings =
        check(
            new AllReduceParam(Symbols.comm(1), DataType.INT32, ReduceOp.SUM, 1),
            (param, res) -> {
              DeviceMem a = res.scratchMem().slice(0, 4);
              DeviceMem b = res.scratchMem().slice(4, 4);
              res.mainStream().copy(a, res.paramInputMem());
              for (int i = 0; i < 64; i++) {
                res.mainStream().copy(b, a);
                res.mainStream().reduce(a, b, DataType.INT32, ReduceOp.SUM);
              }
              res.mainStream()
                  .reduceFrom(
                      res.paramOutputMem(),
                      List.of(a, res.paramInputMem()),
                      DataType.INT32,
                      ReduceOp.SUM);
            });

    assertThat(only(findings, Rule.WRONG_CONTENTS).message())
        .endsWith("rank 0's element 0 is in it very often");
  }

  @Test
  void theResultsOfAPlanThatGetsStuckAreNotJudged() {
    GroupPlan stuck =
        Symbols.record(
            new Sketch<AllReduceParam>(
                Sketch::mesh,
                (param, res) ->
                    Sketch.links(param.comm(), res)
                        .forEach(link -> link.await(res.mainStream(), Link.READY))),
            SUM);
    Findings findings = new Findings();

    SymbolResult result =
        SymbolCheck.check(
            FlatPlan.of(stuck), Symbols.params(SUM), SymbolOptions.of(Determinism.NONE), findings);

    assertThat(result.isRight()).isFalse();
    assertThat(result.association(0)).isZero();
    assertThat(findings.isEmpty()).isTrue();
  }

  @Test
  void requestsThatDoNotFitToThePlanAreRefused() {
    GroupPlan plan = Symbols.record(Algorithms.directAllReduce(), SUM);

    assertThatThrownBy(
            () ->
                SymbolCheck.check(
                    FlatPlan.of(plan),
                    List.of(SUM),
                    SymbolOptions.of(Determinism.NONE),
                    new Findings()))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("one request for each of the plan's 3 ranks");
  }

  @Test
  void inputsThatAreTooLargeToBeToldApartAreRefused() {
    AllReduceParam param =
        new AllReduceParam(Symbols.comm(1), DataType.INT64, ReduceOp.SUM, 1L << 41);

    assertThatThrownBy(() -> Symbols.check(sketch((p, res) -> {}), param))
        .isInstanceOf(TuttiException.class)
        .hasMessageEndingWith("Actual: rank 0 has 17592186044416 bytes");
  }

  @Test
  void longExpressionsAreCutShort() {
    List<Finding> findings =
        check(
            new AllReduceParam(Symbols.comm(1), DataType.INT32, ReduceOp.SUM, 1),
            (param, res) -> {
              DeviceMem out = res.paramOutputMem();
              res.mainStream()
                  .reduceFrom(
                      out,
                      Collections.nCopies(15, res.paramInputMem()),
                      DataType.INT32,
                      ReduceOp.SUM);
              for (int i = 0; i < 40; i++) {
                res.mainStream().reduce(out, res.paramInputMem(), DataType.INT32, ReduceOp.SUM);
              }
            });

    assertThat(only(findings, Rule.WRONG_CONTENTS).message())
        .endsWith("rank 0's element 0 is in it 55 times");
    assertThat(findings.getFirst().explanation())
        .contains("(…+a0)+a0)+a0)+a0)")
        .contains("comes through:\n  rank 0 stream 0 'reduce param-output[0+4]")
        .contains("  <- … 29 actions more");
    assertThat(
            check(
                new AllReduceParam(Symbols.comm(1), DataType.INT32, ReduceOp.SUM, 1),
                (param, res) ->
                    res.mainStream()
                        .reduceFrom(
                            res.paramOutputMem(),
                            Collections.nCopies(15, res.paramInputMem()),
                            DataType.INT32,
                            ReduceOp.SUM)))
        .first()
        .extracting(Finding::explanation)
        .asString()
        .contains("+a0)+… 7 operands more)");
  }
}
