package dev.tutti.plugins.template;

import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * An all-gather, of equal or different blocks, by a template that works in place on the output: the
 * rank's own block is copied there, and the template gathers the others.
 *
 * @param <P> the parameter record, of all-gather or all-gather-v
 */
public abstract class TemplateAllGather<P extends OpParam> extends NativeExecutorBase<P> {

  private final AlgTemplate template;

  /** An all-gather by a template whose slices are the blocks of the output. */
  protected TemplateAllGather(AlgTemplate template) {
    this.template = template;
  }

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    TransportMemType output = outputMemType(param);
    template.requestLinks(links, CommPlane.COMBINED, output, output);
    return links.build();
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    mem.resources().mainStream().copy(mem.outputBlock(comm.localRank()), mem.input());
    template.run(
        comm,
        new TemplateParam(
            mem.resources().mainStream(),
            mem.output(),
            mem.output(),
            mem.outputSlices(),
            Blocks.of(param).dataType(),
            null));
  }

  /** Data is only moved. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
