package dev.tributary.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Places between two steps of the library at which a test lets others act. */
public final class Gate {
    private Gate() {}

    /** What others do; what it throws is what the library gets instead. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Runs the action before the nth connection is handed out: between two transactions of the library's own. */
    public static DataSource beforeConnection(int nth, DataSource dataSource, Action action) {
        AtomicInteger taken = new AtomicInteger();
        return before(DataSource.class, dataSource, "getConnection", () -> {
            if (taken.incrementAndGet() == nth) {
                action.run();
            }
        });
    }

    /** Runs the action before each connection is handed out. */
    public static DataSource beforeEachConnection(DataSource dataSource, Action action) {
        return before(DataSource.class, dataSource, "getConnection", action);
    }

    /** Runs the action before a savepoint is set: between the first and the second step in the caller's transaction. */
    public static Connection beforeSavepoint(Connection connection, Action action) {
        return before(Connection.class, connection, "setSavepoint", action);
    }

    /** Runs the action before the nth commit on connections of the DataSource: a transaction of the library's own has then done all. */
    public static DataSource beforeCommit(int nth, DataSource dataSource, Action action) {
        AtomicInteger commits = new AtomicInteger();
        return beforeEveryCommit(dataSource, () -> {
            if (commits.incrementAndGet() == nth) {
                action.run();
            }
        });
    }

    /** Runs the action before each commit on connections of the DataSource. */
    public static DataSource beforeEveryCommit(DataSource dataSource, Action action) {
        return lending(dataSource, connection -> before(Connection.class, connection, "commit", action));
    }

    private static DataSource lending(DataSource dataSource, UnaryOperator<Connection> gated) {
        return (DataSource) Proxy.newProxyInstance(
                Gate.class.getClassLoader(), new Class<?>[] {DataSource.class}, (p, method, arguments) -> {
                    try {
                        Object answer = method.invoke(dataSource, arguments);
                        return answer instanceof Connection connection ? gated.apply(connection) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static <T> T before(Class<T> type, T inner, String call, Action action) {
        return type.cast(Proxy.newProxyInstance(
                Gate.class.getClassLoader(), new Class<?>[] {type}, (p, method, arguments) -> {
                    if (method.getName().equals(call)) {
                        action.run();
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
