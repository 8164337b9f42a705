package dev.tributary;

import static dev.tributary.support.Refresh.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import dev.tributary.support.RawJson;
import dev.tributary.support.Refusal;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** jsonb writes a number without its exponent: what is stored, and what sums grow to, is read back. */
class NumbersTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    record Amount(BigDecimal n) {}

    private static final JobType<Amount> AMOUNT = JobType.named("AMOUNT", Amount.class)
            .onePendingPer(amount -> "k")
            .merging(Merge.sum("n"))
            .build();

    private static final JobType<String> RAW = JobType.named("AMOUNT", String.class)
            .onePendingPer(json -> "k")
            .merging(Merge.sum("n"))
            .codec(RawJson.CODEC)
            .build();

    private final JobQueue queue = database.queue();

    static String[] tooLong() {
        return new String[] {
            "1E+1000",
            "1e900",
            "-1e900",
            "1e-900",
            "1" + "0".repeat(900),
            "0." + "0".repeat(899) + "1",
            "1" + "0".repeat(450) + "." + "0".repeat(450),
            "0e-900",
            "1e200000",
            "1e2147483647",
            "1e2147483648",
            "1e-2147483649",
            "1e99999999999999999999",
            "0e99999999999999999999",
            "9".repeat(1_000_000)
        };
    }

    @ParameterizedTest
    @MethodSource("tooLong")
    void ofMoreThanNineHundredDigitsAreRefused(String number) {
        Refusal.of(
                database,
                InvalidPayload.class,
                q -> q.enqueue(RAW, "{\"a\": {\"b\": [" + number + "]}}"),
                "AMOUNT payload: a number of more than 900 digits",
                "/a/b/0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1E+899",
                "-9e899",
                "1e-899",
                "-0",
                "0.0",
                "1.10",
                "1E2",
                "123456789012345678901234567890",
                "1.7976931348623157E308",
                "4.9E-324"
            })
    void areReadBackWithTheirValue(String number) {
        queue.enqueue(RAW, "{\"n\": " + number + "}");
        assertThat(reserved()).isEqualByComparingTo(number);
    }

    @Test
    void thatSumsMadeLongerAreReadBack() {
        queue.enqueue(RAW, "{\"n\": 9e899}");
        queue.enqueue(RAW, "{\"n\": 9e899}");
        queue.enqueue(RAW, "{\"n\": 1e-899}");
        assertThat(reserved()).isEqualByComparingTo(new BigDecimal("18e899").add(new BigDecimal("1e-899")));
    }

    @Test
    void thatOthersStoredAreReadBack() {
        long id = queue.enqueue(AMOUNT, new Amount(BigDecimal.ONE)).jobId();
        database.execute("UPDATE tributary.jobs SET config = '{\"n\": -1e131071}' WHERE id = " + id);
        assertThat(reserved()).isEqualByComparingTo("-1e131071");
    }

    private BigDecimal reserved() {
        return queue.reserve(AMOUNT, 1, LEASE).get(0).payload().n();
    }
}
