package dev.tributary.support;

/** The long runs, tagged {@code soak}, are short ones unless system property {@code tributary.soak} is {@code full}. */
public final class Soak {
    private Soak() {}

    /** How long this run is. */
    public static int rounds(int few, int full) {
        return switch (System.getProperty("tributary.soak", "few")) {
            case "few" -> few;
            case "full" -> full;
            default -> throw new IllegalArgumentException("tributary.soak is neither few nor full");
        };
    }
}
