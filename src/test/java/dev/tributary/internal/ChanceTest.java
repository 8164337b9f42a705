package dev.tributary.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.InvalidArgument;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChanceTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, OUTAGE",
                "08000, OUTAGE",
                "08006, OUTAGE",
                "57P01, OUTAGE",
                "57P03, OUTAGE",
                "53300, OUTAGE",
                "25006, OUTAGE",
                "57014, LATER",
                "55P03, LATER",
                "40001, LATER",
                "53100, LATER",
                "25P04, LATER",
                "58030, LATER",
                "23505, NEVER",
                "P0001, NEVER",
                "5, NEVER",
                "'', NEVER"
            })
    void isToldByTheSqlstate(String state, Chance chance) {
        assertThat(Chance.after(new DataAccessException("failed", new SQLException("failed", state))))
                .isEqualTo(chance);
    }

    @Test
    void isNoneAfterWhatTheDatabaseHasNotSaid() {
        assertThat(Chance.after(new InvalidArgument("wrong"))).isEqualTo(Chance.NEVER);
        assertThat(Chance.after(new StackOverflowError())).isEqualTo(Chance.NEVER);
    }
}
