package dev.tutti.testkit.junit;

import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;

/** A provider with its standard tests. */
final class ProviderDescriptor extends AbstractTestDescriptor {

  ProviderDescriptor(UniqueId id, TestGroup group) {
    super(id, group.name(), group.type() == null ? null : ClassSource.from(group.type()));
    for (NamedTest test : group.tests()) {
      addChild(new CaseDescriptor(id.append("test", test.name()), test));
    }
  }

  @Override
  public Type getType() {
    return Type.CONTAINER;
  }
}
