package dev.tributary.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
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
