package dev.tributary.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** The smallest pool: one connection, handed out again and again as it is, without a thing put right in between. */
public final class OneConnection implements AutoCloseable {
    private final Connection connection;

    public OneConnection(DataSource dataSource, boolean autoCommit) throws SQLException {
        connection = dataSource.getConnection();
        connection.setAutoCommit(autoCommit);
    }

    public Connection connection() {
        return connection;
    }

    public DataSource dataSource() {
        return handingOut(() -> null);
    }

    /** What it hands out cannot be given back. */
    public DataSource dataSourceThatFailsOnClose() {
        return handingOut(() -> {
            throw new SQLException("the connection is gone", "08006");
        });
    }

    private DataSource handingOut(Callable<?> onClose) {
        Connection handedOut = proxy(Connection.class, connection, "close", onClose);
        return proxy(DataSource.class, connection, "getConnection", () -> handedOut);
    }

    /** Everything goes to the inner object, but one call, which is answered. */
    static <T> T proxy(Class<T> type, Object inner, String call, Callable<?> answer) {
        return type.cast(Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(), new Class<?>[] {type}, (p, method, arguments) -> {
                    if (method.getName().equals(call)) {
                        return answer.call();
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
