package dev.tributary.race;

import dev.tributary.JobQueue;
import dev.tributary.support.Database;
import dev.tributary.support.Session;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Each interleaving happens twice: in transactions of the library's own, and in one of the caller's that goes on. */
enum Where {
    OWN_TRANSACTIONS {
        @Override
        <T> CompletableFuture<T> begins(Database database, Function<JobQueue, T> work) {
            return CompletableFuture.supplyAsync(() -> work.apply(database.queue()));
        }
    },
    CALLERS_TRANSACTION {
        @Override
        <T> CompletableFuture<T> begins(Database database, Function<JobQueue, T> work) {
            Session session = database.session();
            session.executes("SET LOCAL application_name = 'still the same transaction'");
            return session.begins(work).thenApply(answer -> goesOn(session, answer));
        }

        private <T> T goesOn(Session session, T answer) {
            try (session) {
                var statement = session.connection().createStatement();
                var name = statement.executeQuery("SHOW application_name");
                name.next();
                if (!name.getString(1).equals("still the same transaction")) {
                    throw new AssertionError("the caller's transaction was ended");
                }
                session.connection().commit();
                return answer;
            } catch (java.sql.SQLException e) {
                throw new AssertionError("the caller's transaction cannot go on", e);
            }
        }
    };

    /** Begins the work; when it is done, the transaction has been used once more and has committed. */
    abstract <T> CompletableFuture<T> begins(Database database, Function<JobQueue, T> work);
}
