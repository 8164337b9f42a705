package dev.tributary.examples.common;

import java.io.Console;

/** Whether somebody looks on. */
public final class Terminal {
    private Terminal() {}

    public static boolean isThere() {
        Console console = System.console();
        return console != null && isTerminal(console);
    }

    /** From Java 22 on there is a console without a terminal too, and it is asked. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderJava) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
