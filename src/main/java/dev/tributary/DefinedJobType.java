package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.Text;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@link JobType.Builder#build} makes. */
final class DefinedJobType<P> implements JobType<P> {
    private final String name;
    private final Optional<Function<P, String>> key;
    private final Optional<Merge> merge;
    private final boolean serialPerKey;
    private final int maxAttempts;
    private final Backoff backoff;
    private final PayloadCodec<P> codec;
    private final int maxPayloadBytes;

    DefinedJobType(Builder<P> built) {
        name = built.name;
        key = built.key;
        merge = built.merge;
        serialPerKey = built.serialPerKey;
        maxAttempts = built.maxAttempts;
        backoff = built.backoff;
        codec = built.codec;
        maxPayloadBytes = built.maxPayloadBytes;
        if (key.isPresent() != merge.isPresent()) {
            throw new InvalidArgument(name + ": onePendingPer(key) and merging(strategy) go together, and "
                    + (key.isPresent() ? "merging" : "onePendingPer") + " is missing");
        }
        if (serialPerKey && key.isEmpty()) {
            throw new InvalidArgument(name + ": serialPerKey() needs onePendingPer(key)");
        }
        if (codec instanceof JsonCodec<P> json) {
            json.fields().ifPresent(known -> checkFields(json.payload(), known));
        }
    }

    private void checkFields(Class<P> payload, Set<String> known) {
        // A record without components has nothing to lose, and one whose components are all ignored says so.
        if (known.isEmpty() && !payload.isRecord() && holdsData(payload)) {
            throw new InvalidArgument(name + ": Jackson sees no field of " + payload.getName()
                    + " and writes {}: give it getters, or make it a record");
        }
        if (merge.orElse(null) instanceof FieldMerge fields) {
            Set<String> unknown =
                    fields.fields().stream().filter(f -> !known.contains(f)).collect(Collectors.toSet());
            if (!unknown.isEmpty()) {
                throw new InvalidArgument(
                        name + ": the merge names " + unknown + ", but the payload as Jackson writes it has " + known);
            }
        }
    }

    private static boolean holdsData(Class<?> payload) {
        return Stream.<Class<?>>iterate(payload, Objects::nonNull, Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .anyMatch(field -> !Modifier.isStatic(field.getModifiers())
                        && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> key(P payload) {
        Arguments.notNull("the payload", payload);
        return key.map(function -> checkedKey(function.apply(payload)));
    }

    private String checkedKey(String value) {
        if (value == null || value.isEmpty()) {
            throw new InvalidKey("the key function returned " + (value == null ? "null" : "an empty key"));
        }
        Text.keyFlaw("merge key", value).ifPresent(flaw -> {
            throw new InvalidKey(flaw);
        });
        return value;
    }

    @Override
    public Optional<Merge> merge() {
        return merge;
    }

    @Override
    public boolean serialPerKey() {
        return serialPerKey;
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public Backoff backoff() {
        return backoff;
    }

    @Override
    public PayloadCodec<P> codec() {
        return codec;
    }

    @Override
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    @Override
    public String toString() {
        return name;
    }
}
