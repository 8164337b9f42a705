package dev.tributary.internal.sql;

import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;

/** Marks the transaction as one that has ingested. The mark ends with it, and a rollback to a savepoint before takes it away. */
public final class IngestOnce {
    private static final String MARK = "tributary.ingested";
    private static final Field<String> BEFORE = field(name("ingested_before"), SQLDataType.VARCHAR);

    private IngestOnce() {}

    /** @return one row: {@code true} or empty for whether it was marked before, its isolation level, the mark */
    public static ResultQuery<Record3<String, String, String>> query() {
        CommonTableExpression<?> before = name("before")
                .asMaterialized(select(coalesce(Setting.ifSet(MARK), inline("")).as(BEFORE)));
        return with(before)
                .select(
                        BEFORE,
                        Setting.named("transaction_isolation"),
                        Setting.untilTheEnd(MARK, inline("true")).as("ingested"))
                .from(before);
    }
}
