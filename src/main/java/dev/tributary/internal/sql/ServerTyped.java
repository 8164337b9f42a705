package dev.tributary.internal.sql;

import java.sql.SQLException;
import java.sql.Types;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.Converters;
import org.jooq.impl.AbstractBinding;

/** Text that is bound without a type: the server reads it as whatever it is compared with, also a type that Java cannot hold. */
final class ServerTyped extends AbstractBinding<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public Converter<String, String> converter() {
        return Converters.identity(String.class);
    }

    @Override
    public void set(BindingSetStatementContext<String> ctx) throws SQLException {
        ctx.statement().setObject(ctx.index(), ctx.value(), Types.OTHER);
    }

    @Override
    public void get(BindingGetResultSetContext<String> ctx) throws SQLException {
        ctx.value(ctx.resultSet().getString(ctx.index()));
    }
}
