package dev.tributary.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** Connections that are counted at every statement and every commit; before the one that is due, the server drops its backend. */
public final class Cuts {
    private static final Set<String> BOUNDARIES = Set.of("prepareStatement", "createStatement", "commit");

    private final Database database;
    private final AtomicInteger left;

    /** @param boundary before which the backend is terminated, from 1 */
    public Cuts(Database database, int boundary) {
        this.database = database;
        this.left = new AtomicInteger(boundary);
    }

    /** Whether it came so far. */
    public boolean happened() {
        return left.get() <= 0;
    }

    public DataSource dataSource() {
        DataSource inner = database.dataSource();
        return proxy(DataSource.class, inner, method -> {}, true);
    }

    private interface Before {
        void call(String method);
    }

    private <T> T proxy(Class<T> type, Object inner, Before before, boolean lends) {
        return type.cast(Proxy.newProxyInstance(
                Cuts.class.getClassLoader(), new Class<?>[] {type}, (p, method, arguments) -> {
                    before.call(method.getName());
                    try {
                        Object answer = method.invoke(inner, arguments);
                        return lends && answer instanceof Connection connection
                                ? proxy(Connection.class, connection, name -> count(connection, name), false)
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void count(Connection connection, String method) {
        if (BOUNDARIES.contains(method) && left.decrementAndGet() == 0) {
            int backend = ((PGConnection) connection).getBackendPID();
            database.sql(db -> db.execute("SELECT pg_terminate_backend(?, 10000)", backend));
        }
    }
}
