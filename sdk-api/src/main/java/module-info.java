/** The stable SPI for collective-communication algorithms, and the plan model that they produce. */
module dev.tutti.sdk {
  requires static org.jspecify;
  requires static java.compiler;

  exports dev.tutti.sdk;
  exports dev.tutti.sdk.param;
  exports dev.tutti.sdk.plan;
  exports dev.tutti.sdk.resource;
  exports dev.tutti.sdk.template;
  exports dev.tutti.sdk.topology;

  uses dev.tutti.sdk.CollExecutorBase;

  provides javax.annotation.processing.Processor with
      dev.tutti.sdk.processor.CollAlgorithmProcessor;
}
