package dev.tributary.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.support.Database;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon that did nothing for a week: its filter stood after the limited choice. Here there is no such place. */
class SeedsMistakeTest {
    private static final int ROWS = 20_000;
    private static final int BATCH = 1_000;

    @RegisterExtension
    static final Database database = Database.migrated();

    @BeforeEach
    void rows() {
        Ads.create(database, ROWS);
    }

    @Test
    void theSeedsStatementStopsAfterItsFirstBatch() {
        String seed = """
                UPDATE ads SET trust_score = sub.ts
                  FROM (SELECT id, mod(id, 100)::integer AS ts FROM ads LIMIT %d) sub
                 WHERE ads.id = sub.id AND (ads.trust_score IS NULL OR ads.trust_score <> sub.ts)""".formatted(BATCH);
        // Updated rows stay on their page, as after a vacuum that made room there: the first rows are the first again.
        Ads.create(database, 0);
        database.execute("ALTER TABLE ads SET (fillfactor = 40)");
        Ads.insert(database, 1, ROWS);
        List<Integer> written = new ArrayList<>();
        for (int run = 0; run < 3 * ROWS / BATCH; run++) {
            written.add(database.sql(db -> db.execute(seed)));
        }
        assertThat(written.get(0)).isEqualTo(BATCH);
        // The page in which the limit fell is finished little by little, then nothing more happens.
        assertThat(Ads.scored(database)).isBetween(BATCH, BATCH + 200);
        assertThat(written.subList(ROWS / BATCH, written.size())).containsOnly(0);
    }

    @Test
    void theDaemonFinishes() {
        BatchDaemon daemon = Ads.scoring("trust-score").batchSize(BATCH).on(database.pool());
        Progress progress = daemon.runOnce();
        assertThat(progress.selected()).isEqualTo(ROWS);
        assertThat(progress.done()).isEqualTo(ROWS);
        assertThat(progress.waiting()).isZero();
        assertThat(Ads.unscored(database)).isEmpty();
        assertThat(Ads.writes(database)).containsExactly(1);
    }

    private static final String BUILT =
            "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).set(SCORE, ID).batchSize(10).on(ds)";

    @Test
    void whatTheCompilerIsShownBelowCompilesWithoutTheMistake() {
        assertThat(errors(BUILT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // without a progress condition there is nothing that could be done, and no daemon
                "BatchDaemon.named(\"x\").over(ADS).key(ID).set(SCORE, ID).on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key(ID).delete().on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key(ID).on(ds)",
                // without a key
                "BatchDaemon.named(\"x\").over(ADS).whileTrue(SCORE.isNull()).set(SCORE, ID).on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key().whileTrue(SCORE.isNull()).set(SCORE, ID).on(ds)",
                // a filter after the choice
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).set(SCORE, ID).where(SCORE.ne(ID)).on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).set(SCORE, ID).whileTrue(SCORE.ne(ID)).on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).set(SCORE, ID).batchSize(10).and(SCORE.ne(ID)).on(ds)",
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).delete().where(SCORE.ne(ID)).on(ds)",
                // nothing to be done
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).batchSize(10).on(ds)",
                // another type than the column's
                "BatchDaemon.named(\"x\").over(ADS).key(ID).whileTrue(SCORE.isNull()).set(SCORE, TITLE).on(ds)"
            })
    void theMistakeDoesNotCompile(String chain) {
        assertThat(errors(chain))
                .isNotEmpty()
                .allMatch(error -> error.contains("cannot find symbol")
                        || error.contains("no suitable method")
                        || error.contains("cannot be applied"));
    }

    /** What the compiler says of a daemon that is written so. */
    private static List<String> errors(String chain) {
        String source = """
                import dev.tributary.batch.BatchDaemon;
                import org.jooq.impl.DSL;
                class Written {
                    static final org.jooq.Table<org.jooq.Record> ADS = DSL.table(DSL.name("ads"));
                    static final org.jooq.Field<Long> ID = DSL.field(DSL.name("id"), Long.class);
                    static final org.jooq.Field<Long> SCORE = DSL.field(DSL.name("score"), Long.class);
                    static final org.jooq.Field<String> TITLE = DSL.field(DSL.name("title"), String.class);
                    static BatchDaemon daemon(javax.sql.DataSource ds) { return %s; }
                }
                """.formatted(chain);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        SimpleJavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Written.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        compiler.getTask(
                        new StringWriter(),
                        null,
                        said,
                        List.of(
                                "-proc:none",
                                "-d",
                                System.getProperty("java.io.tmpdir"),
                                "-implicit:none",
                                "-cp",
                                classPath),
                        null,
                        List.of(file))
                .call();
        return said.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == javax.tools.Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
                .toList();
    }
}
