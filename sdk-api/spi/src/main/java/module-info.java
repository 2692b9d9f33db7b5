/** The stable SPI for collective-communication algorithms. */
@SuppressWarnings("module") // dev.tutti.plan is compiled after this module.
module dev.tutti.sdk {
  requires static org.jspecify;
  requires static java.compiler;

  exports dev.tutti.sdk;
  exports dev.tutti.sdk.param;
  exports dev.tutti.sdk.resource;
  exports dev.tutti.sdk.template;
  exports dev.tutti.sdk.topology;
  exports dev.tutti.sdk.trace to
      dev.tutti.plan;

  uses dev.tutti.sdk.CollExecutorBase;

  provides javax.annotation.processing.Processor with
      dev.tutti.sdk.processor.CollAlgorithmProcessor;
}
