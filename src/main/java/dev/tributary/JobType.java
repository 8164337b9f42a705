package dev.tributary;

import dev.tributary.internal.Arguments;
import dev.tributary.internal.Text;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of work: its name in the table, its payload, and how its jobs merge, back off and end. Immutable and safe for use
 * by several threads; usually a constant. Made by {@link #named}.
 *
 * @param <P> the payload, usually a record
 */
public sealed interface JobType<P> permits DefinedJobType {
    /** The value of column {@code type}. */
    String name();

    /**
     * The merge key of a payload; always empty for a type without {@link Builder#onePendingPer}. May throw what the key
     * function throws.
     *
     * @throws InvalidArgument if the payload is null
     * @throws InvalidKey if the key function returns an unusable key
     */
    Optional<String> key(P payload);

    /** How payloads of one key become one; empty for a type without {@link Builder#onePendingPer}. */
    Optional<Merge> merge();

    /** Whether jobs of a key run one after the other, see {@link Builder#serialPerKey}. */
    boolean serialPerKey();

    /** Reservations a job may have before a refusal fails it. */
    int maxAttempts();

    /** The delay of {@link JobQueue#requeue(ReservedJob, String)} and of a rescue. */
    Backoff backoff();

    /** How payloads become JSON. */
    PayloadCodec<P> codec();

    /** See {@link Builder#maxPayloadBytes}. */
    int maxPayloadBytes();

    /**
     * Begins a type.
     *
     * @param name 1 to 255 bytes of UTF-8, not blank, without U+0000 and lone surrogates; it is stored with each job, so renaming a
     *     type leaves its jobs behind
     * @param payload the class of the payload
     * @throws InvalidArgument if the name is unusable or an argument is null
     */
    static <P> Builder<P> named(String name, Class<P> payload) {
        return new Builder<>(name, payload);
    }

    /**
     * What a type is built from.
     *
     * @param <P> the payload
     */
    final class Builder<P> {
        final String name;
        final Class<P> payload;
        Optional<Function<P, String>> key = Optional.empty();
        Optional<Merge> merge = Optional.empty();
        boolean serialPerKey;
        int maxAttempts = 10;
        Backoff backoff = Backoff.DEFAULT;
        PayloadCodec<P> codec;
        int maxPayloadBytes = 16 * 1024 * 1024;

        private Builder(String name, Class<P> payload) {
            this.name = Arguments.notNull("the name of the job type", name);
            this.payload = Arguments.notNull("the payload class", payload);
            this.codec = PayloadCodec.json(payload);
            if (name.isBlank()) {
                throw new InvalidArgument("the name of a job type is blank: " + Text.quoted(name));
            }
            if (Text.bytes(name) > 255) {
                throw new InvalidArgument("the name of a job type has 1 to 255 bytes, this one " + Text.bytes(name)
                        + ": " + Text.quoted(name));
            }
            Text.flaw(name).ifPresent(flaw -> {
                throw new InvalidArgument("the name of a job type holds " + flaw);
            });
        }

        /**
         * At most one PENDING job for each key; enqueues of the same key merge into it. Needs {@link #merging}. Without
         * it, each enqueue is a job of its own.
         *
         * @param key from the payload to its merge key: not null, 1 to 1,024 bytes of UTF-8; checked at each enqueue
         */
        public Builder<P> onePendingPer(Function<P, String> key) {
            this.key = Optional.of(Arguments.notNull("the key function", key));
            return this;
        }

        /** How payloads of one key become one. There is no default: each one loses something that another keeps. */
        public Builder<P> merging(Merge strategy) {
            this.merge = Optional.of(Arguments.notNull("the merge strategy", strategy));
            return this;
        }

        /**
         * No job of a key is reserved while another of that key is RUNNING. Without it one may run and a newer one beside it.
         * Needs {@link #onePendingPer}. A lease that expires frees the key only once the job is rescued.
         */
        public Builder<P> serialPerKey() {
            this.serialPerKey = true;
            return this;
        }

        /**
         * Reservations a job may have, at least 1. A refusal of the last one fails the job with its payload kept. Default: 10.
         *
         * @throws InvalidArgument if it is below 1
         */
        public Builder<P> maxAttempts(int attempts) {
            Arguments.atLeastOne("maxAttempts", attempts);
            this.maxAttempts = attempts;
            return this;
        }

        /** How long a refused job waits. Default: {@link Backoff#DEFAULT}. */
        public Builder<P> backoff(Backoff backoff) {
            this.backoff = Arguments.notNull("the backoff", backoff);
            return this;
        }

        /** How payloads become JSON. Default: {@link PayloadCodec#json(Class)}. */
        public Builder<P> codec(PayloadCodec<P> codec) {
            this.codec = Arguments.notNull("the codec", codec);
            return this;
        }

        /**
         * The cap of a payload, in bytes of its JSON text. A larger payload is refused as {@link InvalidPayload}; an enqueue
         * that would merge to a larger one is refused as {@link PendingJobFull}, where the text is counted as PostgreSQL
         * writes it, with a space after each comma and colon, however small it is stored. A requeue is never refused, and
         * two enqueues at once may pass the cap together. PostgreSQL itself ends at 256 MiB for a JSON array. Default:
         * 16 MiB.
         *
         * @throws InvalidArgument if it is below 1
         */
        public Builder<P> maxPayloadBytes(int bytes) {
            Arguments.atLeastOne("maxPayloadBytes", bytes);
            this.maxPayloadBytes = bytes;
            return this;
        }

        /**
         * The type.
         *
         * @throws InvalidArgument if there is a key without a merge or a merge without a key; under a codec of
         *     {@link PayloadCodec#json}, also if the merge names a field that Jackson does not write for the payload class,
         *     or if it writes none of the class's fields. Which fields it writes is not known, and not checked, for maps
         *     and trees, interfaces, abstract and polymorphic classes, any-getters and custom serializers
         */
        public JobType<P> build() {
            return new DefinedJobType<>(this);
        }
    }
}
