package dev.tributary.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the benchmarks that the system property {@code bench} names, or all. */
public final class Bench {
    private interface Benchmark {
        void run(Server server) throws Exception;
    }

    private static final Map<String, Benchmark> ALL = new LinkedHashMap<>();

    static {
        ALL.put("latency", server -> new Latency(server).run());
        ALL.put("drain", server -> new Drain(server).run());
        ALL.put("inbox", server -> new Inboxes(server).run());
        ALL.put("notify", server -> new NotifyCost(server).run());
        ALL.put("batches", server -> new Batches(server).run());
    }

    private Bench() {}

    public static void main(String[] args) throws Exception {
        String named = System.getProperty("bench", "");
        List<String> wanted = named.isEmpty() ? List.copyOf(ALL.keySet()) : List.of(named.split(","));
        for (String name : wanted) {
            Benchmark benchmark = ALL.get(name);
            if (benchmark == null) {
                System.err.println("bench: there is no " + name + ", only " + ALL.keySet());
                System.exit(2);
            }
            try (Server server = Server.start()) {
                System.out.println();
                benchmark.run(server);
            }
        }
    }
}
