package dev.tutti.testkit.junit;

import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;

/** One standard test of a provider. */
final class CaseDescriptor extends AbstractTestDescriptor {

  private final NamedTest.Body body;

  CaseDescriptor(UniqueId id, NamedTest test) {
    super(id, test.name());
    this.body = test.body();
  }

  NamedTest.Body body() {
    return body;
  }

  @Override
  public Type getType() {
    return Type.TEST;
  }
}
