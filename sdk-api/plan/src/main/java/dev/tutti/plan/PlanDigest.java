package dev.tutti.plan;

import dev.tutti.sdk.resource.TransportMemType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The SHA-256 digest of a plan. Not thread-safe.
 *
 * <p>Each rank's plan is encoded in little-endian numbers and hashed. A nested plan enters as its
 * hash, so a shared plan is read once. The group's digest is the hash of its ranks' hashes. For an
 * enum, the encoding lists the names in use and then refers to them by index, so new constants do
 * not change old digests. Equal plans have equal encodings because {@link PlanBuilder} numbers
 * operands and nested plans in the order of the actions.
 */
final class PlanDigest {

  private static final String FORMAT = "tutti-digest/1";
  private static final int CHUNK_BYTES = 1 << 14;
  private static final int LARGEST_PUT_BYTES = 64;

  private final MessageDigest sha;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final IdentityHashMap<RankPlan, byte[]> known = new IdentityHashMap<>();

  private PlanDigest() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /** The digest of a group's plan as 64 hexadecimal digits. */
  static String of(boolean inPlace, List<RankPlan> ranks) {
    return HexFormat.of().formatHex(new PlanDigest().group(inPlace, ranks));
  }

  private byte[] group(boolean inPlace, List<RankPlan> ranks) {
    List<byte[]> digests = ranks.stream().map(this::rank).toList();
    putText(FORMAT);
    putInt(inPlace ? 1 : 0);
    putInt(digests.size());
    digests.forEach(this::putBytes);
    return finish();
  }

  private byte[] rank(RankPlan plan) {
    byte[] digest = known.get(plan);
    if (digest == null) {
      byte[][] nested = new byte[plan.nestedPlans().size()][];
      for (int i = 0; i < nested.length; i++) {
        nested[i] = rank(plan.nestedPlans().get(i));
      }
      digest = rank(plan, nested);
      known.put(plan, digest);
    }
    return digest;
  }

  private byte[] rank(RankPlan plan, byte[][] nested) {
    putInt(plan.rank());
    putInt(plan.streamCount());
    putInt(plan.notifyCount());
    putMemSizes(plan);
    putLinks(plan.links());
    putInt(nested.length);
    for (byte[] digest : nested) {
      putBytes(digest);
    }
    putActions(plan);
    return finish();
  }

  private void putMemSizes(RankPlan plan) {
    long used = 0;
    for (TransportMemType type : LabelTable.MEM_TYPES.values()) {
      used |= plan.memSize(type) == 0 ? 0 : 1L << type.ordinal();
    }
    putNames(LabelTable.MEM_TYPES, used);
    LabelTable.MEM_TYPES.values().stream()
        .filter(type -> plan.memSize(type) != 0)
        .sorted((a, b) -> a.label().compareTo(b.label()))
        .forEach(type -> putLong(plan.memSize(type)));
  }

  private void putLinks(LinkTable links) {
    long planes = 0;
    long protocols = 0;
    long memTypes = 0;
    for (int link = 0; link < links.size(); link++) {
      LinkKind kind = links.kind(link);
      planes |= 1L << kind.plane().ordinal();
      protocols |= 1L << kind.protocol().ordinal();
      memTypes |= 1L << kind.inputMemType().ordinal() | 1L << kind.outputMemType().ordinal();
    }
    int[] planeCodes = putNames(LabelTable.PLANES, planes);
    int[] protocolCodes = putNames(LabelTable.PROTOCOLS, protocols);
    int[] memCodes = putNames(LabelTable.MEM_TYPES, memTypes);
    putInt(links.size());
    for (int link = 0; link < links.size(); link++) {
      LinkKind kind = links.kind(link);
      reserve();
      chunk
          .putInt(planeCodes[kind.plane().ordinal()])
          .putInt(kind.subComm())
          .putInt(links.peer(link))
          .putInt(protocolCodes[kind.protocol().ordinal()])
          .putInt(kind.acknowledges() ? 1 : 0)
          .putInt(kind.notifyCount())
          .putInt(memCodes[kind.inputMemType().ordinal()])
          .putInt(memCodes[kind.outputMemType().ordinal()]);
    }
  }

  // ---- actions

  private void putActions(RankPlan plan) {
    long kinds = 0;
    long dataTypes = 0;
    long reduceOps = 0;
    long memTypes = 0;
    int count = plan.actionCount();
    for (int action = 0; action < count; action++) {
      ActionKind kind = plan.kind(action);
      kinds |= 1L << kind.ordinal();
      if (kind.isData()) {
        memTypes |= 1L << plan.dstType(action).ordinal();
        for (int source = 0; source < plan.sourceCount(action); source++) {
          memTypes |= 1L << plan.srcType(action, source).ordinal();
        }
        if (kind != ActionKind.COPY) {
          dataTypes |= 1L << plan.dataType(action).ordinal();
          reduceOps |= 1L << plan.reduceOp(action).ordinal();
        }
      }
    }
    int[] kindCodes = putNames(LabelTable.KINDS, kinds);
    int[] dataTypeCodes = putNames(LabelTable.DATA_TYPES, dataTypes);
    int[] reduceOpCodes = putNames(LabelTable.REDUCE_OPS, reduceOps);
    int[] memCodes = putNames(LabelTable.MEM_TYPES, memTypes);
    putInt(count);
    for (int action = 0; action < count; action++) {
      ActionKind kind = plan.kind(action);
      reserve();
      chunk.putInt(kindCodes[kind.ordinal()]).putInt(plan.stream(action));
      switch (kind) {
        case POST, AWAIT -> chunk.putInt(plan.link(action)).putInt(plan.notify(action));
        case NESTED -> chunk.putInt(plan.nestedIndex(action));
        case COPY -> putOperands(plan, action, memCodes);
        case REDUCE, REDUCE_FROM -> {
          chunk
              .putInt(dataTypeCodes[plan.dataType(action).ordinal()])
              .putInt(reduceOpCodes[plan.reduceOp(action).ordinal()]);
          putOperands(plan, action, memCodes);
        }
      }
    }
  }

  private void putOperands(RankPlan plan, int action, int[] memCodes) {
    int sources = plan.sourceCount(action);
    chunk
        .putLong(plan.bytes(action))
        .putInt(plan.dstRank(action))
        .putInt(memCodes[plan.dstType(action).ordinal()])
        .putLong(plan.dstOffset(action))
        .putInt(sources);
    for (int source = 0; source < sources; source++) {
      reserve();
      chunk
          .putInt(plan.srcRank(action, source))
          .putInt(memCodes[plan.srcType(action, source).ordinal()])
          .putLong(plan.srcOffset(action, source));
    }
  }

  // ---- encoding

  /** Writes the names in use, sorted, and returns the code of each ordinal in use. */
  private <E extends Enum<E>> int[] putNames(LabelTable<E> table, long used) {
    List<String> names =
        table.values().stream()
            .filter(value -> (used & 1L << value.ordinal()) != 0)
            .map(table::label)
            .sorted()
            .toList();
    int[] codes = new int[table.values().size()];
    Arrays.fill(codes, -1);
    putInt(names.size());
    for (int code = 0; code < names.size(); code++) {
      putText(names.get(code));
      codes[table.value(names.get(code)).ordinal()] = code;
    }
    return codes;
  }

  private void putText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    putInt(bytes.length);
    putBytes(bytes);
  }

  private void putBytes(byte[] bytes) {
    reserve();
    chunk.put(bytes);
  }

  private void putInt(int value) {
    reserve();
    chunk.putInt(value);
  }

  private void putLong(long value) {
    reserve();
    chunk.putLong(value);
  }

  /** Makes room for {@link #LARGEST_PUT_BYTES}. */
  private void reserve() {
    if (chunk.remaining() < LARGEST_PUT_BYTES) {
      flush();
    }
  }

  private void flush() {
    sha.update(chunk.flip());
    chunk.clear();
  }

  private byte[] finish() {
    flush();
    return sha.digest();
  }
}
