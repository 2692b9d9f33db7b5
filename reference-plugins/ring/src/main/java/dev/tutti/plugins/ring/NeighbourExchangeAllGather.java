package dev.tutti.plugins.ring;

import dev.tutti.plugins.template.NeighbourExchange;
import dev.tutti.plugins.template.TemplateAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherParam;
import java.util.Optional;

/**
 * Neighbour-exchange all-gather: in each step, a rank exchanges blocks with its left and its right
 * neighbour in turn ({@link NeighbourExchange}). It takes half the steps of a ring. The number of
 * ranks must be even, because in each step all ranks exchange in pairs.
 *
 * <p>Source: J. Chen, L. Zhang, Y. Zhang, W. Yuan, "Performance evaluation of allgather algorithms
 * on terascale Linux cluster with fast Ethernet", HPC Asia 2005. Cost for p ranks and n bytes of
 * output: {@code p/2·α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "neighbour-exchange",
    summary = "Exchanges with the left and the right neighbour in turn: half the steps of a ring",
    source = "Chen, Zhang, Zhang, Yuan: Evaluation of allgather algorithms, HPC Asia 2005",
    formula = "p/2·α + (p-1)/p·nβ")
public final class NeighbourExchangeAllGather extends TemplateAllGather<AllGatherParam> {

  /** Creates the algorithm with its template. */
  public NeighbourExchangeAllGather() {
    super(new NeighbourExchange());
  }

  @Override
  public Support supports(AllGatherParam param) {
    int ranks = param.comm().rankSize();
    return Support.when(
        ranks % 2 == 0, "needs an even number of ranks, which exchange in pairs. Actual: " + ranks);
  }

  @Override
  public Optional<Cost> cost(AllGatherParam param) {
    int ranks = param.comm().rankSize();
    return Optional.of(
        new Cost(ranks / 2 * rounds(param), param.outputBytes() - param.inputBytes(), 0));
  }
}
