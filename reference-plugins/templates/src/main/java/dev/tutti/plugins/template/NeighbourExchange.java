package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Neighbour exchange all-gather for an even number of ranks, in place on the output, whose slice r
 * holds rank r's share: every rank ends with all slices.
 *
 * <p>Ranks 2i and 2i + 1 form pair i. First they exchange their slices; then every rank exchanges
 * with its left and its right neighbour in turn. Each time, it sends the two slices of the pair
 * that it got last. Cost for p ranks and n bytes in all: {@code p/2·α + (p-1)/p·nβ}.
 */
public final class NeighbourExchange implements AlgTemplate {

  /*
   * Why this is correct under every schedule. In each step a rank posts READY and FIN to one
   * partner and awaits the same from it. It posts READY again only after it has awaited FIN of
   * their previous step, which the partner posted after it had awaited READY. It posts FIN again
   * only after it has awaited READY of the new step, which the partner posted after it had awaited
   * FIN. So no bit is set twice.
   *
   * There is no data race: sent and received slices are not written again, and the close at the end
   * awaits both neighbours' last reads.
   */

  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.ring(plane, inputMemType, outputMemType);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    int rank = comm.localRank();
    int ranks = comm.localRankSize();
    Link mate = comm.link(rank ^ 1);
    exchange(mate, param.stream(), param.outputSlice(rank), param.outputSlice(rank ^ 1));
    if (ranks == 2) {
      close(param.stream(), List.of(mate));
      return;
    }
    boolean isEven = rank % 2 == 0;
    Link other = isEven ? comm.left() : comm.right();
    for (int step = 1; step < ranks / 2; step++) {
      exchange(
          step % 2 == 0 ? mate : other,
          param.stream(),
          pair(param, rank / 2 + newest(step - 1, isEven)),
          pair(param, rank / 2 + newest(step, isEven)));
    }
    close(param.stream(), List.of(mate, other));
  }

  /**
   * The pair that a rank receives in a step, counted from its own pair; odd ranks mirror even ones.
   */
  private static int newest(int step, boolean isEven) {
    int ofEvenRank = step % 2 == 0 ? step / 2 : -(step + 1) / 2;
    return isEven ? ofEvenRank : -ofEvenRank;
  }

  private static DeviceMem pair(TemplateParam param, int pair) {
    Slice first = param.slices().get(Math.floorMod(2 * pair, param.slices().size()));
    Slice second = param.slices().get(Math.floorMod(2 * pair + 1, param.slices().size()));
    return param.output().slice(first.offset(), first.size() + second.size());
  }

  private static void exchange(Link link, Stream stream, DeviceMem sent, DeviceMem received) {
    link.txAck(stream);
    link.rxAck(stream);
    link.txAsync(stream, sent);
    link.rxAsync(stream, received);
  }

  private static void close(Stream stream, List<Link> links) {
    links.forEach(link -> link.rxWaitDone(stream));
    links.forEach(link -> link.txWaitDone(stream));
  }
}
