package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.sql.Accept;
import dev.tributary.internal.sql.CarryOver;
import dev.tributary.internal.sql.Complete;
import dev.tributary.internal.sql.CreateSchema;
import dev.tributary.internal.sql.Differing;
import dev.tributary.internal.sql.Encoding;
import dev.tributary.internal.sql.Enqueue;
import dev.tributary.internal.sql.EnqueueAll;
import dev.tributary.internal.sql.Fail;
import dev.tributary.internal.sql.Find;
import dev.tributary.internal.sql.FullJobs;
import dev.tributary.internal.sql.Holdings;
import dev.tributary.internal.sql.IngestOnce;
import dev.tributary.internal.sql.LockKeys;
import dev.tributary.internal.sql.LockTable;
import dev.tributary.internal.sql.LockTimeout;
import dev.tributary.internal.sql.MergeIntoPending;
import dev.tributary.internal.sql.Notify;
import dev.tributary.internal.sql.Refused;
import dev.tributary.internal.sql.Renew;
import dev.tributary.internal.sql.Rescue;
import dev.tributary.internal.sql.Reserve;
import dev.tributary.internal.sql.Retry;
import dev.tributary.internal.sql.ReturnToPending;
import dev.tributary.internal.sql.SearchPath;
import dev.tributary.support.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each statement has its twin in docs/sql, which psql runs with -v. {@code mvn test -Dtest=RenderedSqlTest
 * -Dtributary.sql.refresh=true} writes them anew.
 */
class RenderedSqlTest {
    @RegisterExtension
    static final Database database = Database.migrated();

    private static final Path DIRECTORY = Path.of(System.getProperty("project.basedir"), "docs", "sql");

    /** A named parameter is rendered with this before its name: nothing else in the SQL begins so. */
    private static final String PARAMETER = "§";

    private static final JobType<Named> TYPE = JobType.named("PRICE_REFRESH", Named.class)
            .onePendingPer(Named::catalogId)
            .merging(Merge.union("productIds"))
            .build();

    private static final JobType<Named> SERIAL = JobType.named("PRICE_REFRESH", Named.class)
            .onePendingPer(Named::catalogId)
            .merging(Merge.union("productIds"))
            .serialPerKey()
            .build();

    private static final JobType<Named> UNKEYED =
            JobType.named("PRICE_REFRESH", Named.class).build();

    record Named(String catalogId, List<String> productIds) {}

    record Statement(String name, Query query) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Statement> statements() {
        JSONB config = JSONB.jsonb("{\"catalogId\": \"c1\", \"productIds\": [\"p1\", \"p2\"]}");
        JSONB[] configs = {config, config};
        String[] keys = {"c1", "c1"};
        String[] eventKeys = {"evt-1", "evt-2"};
        Merge merge = TYPE.merge().orElseThrow();
        EnqueueOptions options = EnqueueOptions.delayedBy(Duration.ofSeconds(5)).priority(1);
        Optional<String> channel = Optional.of(Notify.channel(TributarySchema.DEFAULT));
        UUID token = new UUID(0, 1);
        Duration lease = Duration.ofMinutes(1);
        Refused refused = new Refused(1, token, Duration.ofSeconds(30), "queue full", true);
        Holdings holdings = new Holdings(new Long[] {1L, 2L}, new UUID[] {token, token}, new JSONB[] {config, null});
        Stream<Statement> fixed = Stream.of(
                new Statement("enqueue", Enqueue.query(TYPE, "c1", config, options, channel)),
                new Statement("enqueue-unkeyed", Enqueue.query(UNKEYED, null, config, options, channel)),
                new Statement("enqueue-all", EnqueueAll.keyed(TYPE, merge, keys, configs, channel)),
                new Statement("enqueue-all-unkeyed", EnqueueAll.unkeyed(UNKEYED, configs, channel)),
                new Statement("full-jobs", FullJobs.query(TYPE, merge, keys, configs)),
                new Statement("reserve", Reserve.query(TYPE, 10, lease, "worker-1")),
                new Statement("reserve-serial", Reserve.query(SERIAL, 10, lease, "worker-1")),
                new Statement("reserve-overdue", Reserve.overdue(TYPE, Duration.ofSeconds(1), lease, "worker-1")),
                new Statement("lock-timeout", LockTimeout.query(lease)),
                new Statement("complete", Complete.query(1, token, config)),
                new Statement("merge-into-pending", MergeIntoPending.query(refused, merge)),
                new Statement("return-to-pending", ReturnToPending.query(refused)),
                new Statement("return-to-pending-without-key", ReturnToPending.withoutKey(refused)),
                new Statement("carry-over", CarryOver.query(refused, merge)),
                new Statement("fail", Fail.query(1, token, "no such catalogue")),
                new Statement("renew", Renew.query(1, token, lease)),
                new Statement("renew-all", holdings.renew(lease)),
                new Statement("complete-all", holdings.complete()),
                new Statement("rescue", Rescue.query("PRICE_REFRESH", 100, lease, "worker-1")),
                new Statement("retry", Retry.query("PRICE_REFRESH", 1, lease, "worker-1")),
                new Statement("find", Find.query(1)),
                new Statement("encoding", Encoding.query()),
                new Statement("lock-keys", LockKeys.query("tributary.events", eventKeys, OptionalInt.empty())),
                new Statement("lock-keys-striped", LockKeys.query("tributary.events", eventKeys, OptionalInt.of(64))),
                new Statement("accept", Accept.query(eventKeys, configs)),
                new Statement("differing", Differing.query(eventKeys, configs)),
                new Statement("lock-table", LockTable.query()),
                new Statement("ingest-once", IngestOnce.query()),
                new Statement("schema-exists", CreateSchema.exists("tributary")),
                new Statement("search-path", SearchPath.query("tributary")));
        return Stream.concat(fixed, BatchStatements.all());
    }

    @ParameterizedTest
    @MethodSource("statements")
    void theTwinIsWhatIsSent(Statement statement) throws IOException {
        Path twin = DIRECTORY.resolve(statement.name() + ".sql");
        if (Boolean.getBoolean("tributary.sql.refresh")) {
            Files.writeString(twin, twin(statement));
        }
        assertThat(twin).exists().content().isEqualTo(twin(statement));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void theTwinRuns(Statement statement) {
        database.execute(
                "INSERT INTO tributary.batch_cursors (name, keyset) VALUES ('walk', '{received_at,business_key}')");
        Map<String, String> values = values(statement.query());
        String psql = Pattern.compile(":'(\\w+)'")
                .matcher(sql(statement.query()))
                .replaceAll(match -> Matcher.quoteReplacement(
                        "'" + values.get(match.group(1)).replace("'", "''") + "'"));
        database.execute(psql);
    }

    @Test
    void thereIsNoOtherTwin() throws IOException {
        try (Stream<Path> twins = Files.list(DIRECTORY)) {
            assertThat(twins.map(twin -> twin.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(statements()
                            .map(statement -> statement.name() + ".sql")
                            .toList());
        }
    }

    private static String twin(Statement statement) {
        String variables = values(statement.query()).entrySet().stream()
                .map(value -> " \\\n--   -v " + value.getKey() + "='" + value.getValue() + "'")
                .collect(Collectors.joining());
        return "-- psql -f docs/sql/" + statement.name() + ".sql" + variables + "\n" + sql(statement.query()) + ";\n";
    }

    private static String sql(Query query) {
        DSLContext readable = DSL.using(
                SQLDialect.POSTGRES,
                new Settings()
                        .withRenderFormatted(true)
                        .withRenderKeywordCase(RenderKeywordCase.UPPER)
                        .withRenderQuotedNames(RenderQuotedNames.EXPLICIT_DEFAULT_UNQUOTED)
                        .withRenderNamedParamPrefix(PARAMETER));
        return readable.renderNamedParams(query).replaceAll(PARAMETER + "(\\w+)", ":'$1'");
    }

    private static Map<String, String> values(Query query) {
        return DSL.using(SQLDialect.POSTGRES).extractParams(query).values().stream()
                .filter(param -> !param.isInline())
                .sorted(Comparator.comparing(Param::getName))
                .collect(Collectors.toMap(Param::getName, RenderedSqlTest::text, (a, b) -> a, LinkedHashMap::new));
    }

    private static String text(Param<?> param) {
        if (param.getValue() instanceof Object[] array) {
            return Stream.of(array).map(RenderedSqlTest::element).collect(Collectors.joining(",", "{", "}"));
        }
        return String.valueOf(param.getValue());
    }

    private static String element(Object element) {
        return element == null
                ? "NULL"
                : "\"" + element.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
