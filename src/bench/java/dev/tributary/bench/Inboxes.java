package dev.tributary.bench;

import dev.tributary.inbox.Event;
import dev.tributary.inbox.Inbox;
import dev.tributary.inbox.OnAccepted;
import dev.tributary.inbox.Strategy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Both strategies of the inbox, and inserts one by one, in turns under several loads from eight clients. */
final class Inboxes {
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 3;
    private static final String ONE_BY_ONE = "one by one, a commit each";

    /** What one client delivers, call by call. */
    private interface Load {
        List<List<Event>> of(int client);
    }

    private interface Contestant {
        void deliver(List<Event> call) throws Exception;
    }

    private final Server server;

    Inboxes(Server server) {
        this.server = server;
    }

    void run() throws Exception {
        DSL.using(server.pool(), SQLDialect.POSTGRES).execute("CREATE EXTENSION IF NOT EXISTS pgstattuple");
        System.out.println(
                "Deliveries from eight clients                           events/s   to first   p50 ms   p99 ms"
                        + "   WAL bytes/event   dead rows");
        OnAccepted nothing = (tx, accepted) -> {};
        OnAccepted longAction = (tx, accepted) -> tx.execute("SELECT pg_sleep(0.02)");
        compare("distinct keys, 500 a call", client -> distinct(client, 8, 500), nothing);
        compare("30 % redelivered, 500 a call", client -> redelivered(client, 8, 500), nothing);
        compare("the same 1,000 keys, 500 a call", client -> same(client, 4), nothing);
        compare("long actions, overlapping keys, 50 a call", client -> overlapping(client, 10, 50), longAction);
        compare("one event a call", client -> distinct(client, 300, 1), nothing);
    }

    private void compare(String load, Load calls, OnAccepted action) throws Exception {
        Map<String, Contestant> contestants = new LinkedHashMap<>();
        Inbox inbox = Inbox.on(server.pool());
        for (Strategy strategy : Strategy.values()) {
            Inbox with = inbox.strategy(strategy);
            contestants.put(strategy.toString(), call -> with.ingest(call, action));
        }
        contestants.put(ONE_BY_ONE, call -> oneByOne(call));
        Map<String, Measured> measured = new LinkedHashMap<>();
        contestants.keySet().forEach(name -> measured.put(name, new Measured()));
        for (int round = 0; round <= ROUNDS; round++) {
            for (Map.Entry<String, Contestant> contestant : contestants.entrySet()) {
                // The first round only warms up.
                Measured into = round == 0 ? new Measured() : measured.get(contestant.getKey());
                measure(contestant.getValue(), contestant.getKey().equals(ONE_BY_ONE) ? aPartOf(calls) : calls, into);
            }
        }
        double first = measured.values().iterator().next().perSecond.getValueAtPercentile(50);
        System.out.println(load);
        measured.forEach((name, line) -> System.out.printf(
                "  %-50s %,10d   %8.2f %8.1f %8.1f   %15d   %9d%n",
                name,
                line.perSecond.getValueAtPercentile(50),
                line.perSecond.getValueAtPercentile(50) / first,
                line.micros.getValueAtPercentile(50) / 1e3,
                line.micros.getValueAtPercentile(99) / 1e3,
                line.walBytes.getValueAtPercentile(50),
                line.dead.getValueAtPercentile(50)));
    }

    /** A commit an event takes its time: the first calls will do. */
    private static Load aPartOf(Load calls) {
        return client -> {
            List<List<Event>> all = calls.of(client);
            return all.subList(0, Math.max(1, all.size() / 8));
        };
    }

    private static final class Measured {
        private final Histogram perSecond = new Histogram(3);
        private final Histogram micros = new ConcurrentHistogram(3);
        private final Histogram walBytes = new Histogram(3);
        private final Histogram dead = new Histogram(3);
    }

    private void measure(Contestant contestant, Load calls, Measured into) throws Exception {
        server.empty();
        List<List<List<Event>>> ofClients =
                IntStream.range(0, CLIENTS).mapToObj(calls::of).toList();
        long events =
                ofClients.stream().flatMap(List::stream).mapToLong(List::size).sum();
        long wal = number("SELECT (pg_current_wal_lsn() - '0/0')::bigint");
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            long start = System.nanoTime();
            List<Future<?>> clients = new ArrayList<>();
            for (List<List<Event>> ofClient : ofClients) {
                clients.add(threads.submit(() -> {
                    for (List<Event> call : ofClient) {
                        long begin = System.nanoTime();
                        contestant.deliver(call);
                        into.micros.recordValue((System.nanoTime() - begin) / 1_000);
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
            into.perSecond.recordValue(Math.round(events / ((System.nanoTime() - start) / 1e9)));
        } finally {
            threads.shutdown();
        }
        into.walBytes.recordValue((number("SELECT (pg_current_wal_lsn() - '0/0')::bigint") - wal) / events);
        into.dead.recordValue(number("SELECT dead_tuple_count FROM pgstattuple('tributary.events')"));
    }

    private long number(String sql) {
        return DSL.using(server.pool(), SQLDialect.POSTGRES).fetchSingle(sql).get(0, Long.class);
    }

    private void oneByOne(List<Event> call) throws SQLException {
        try (Connection connection = server.pool().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO tributary.events (business_key, payload)"
                                + " VALUES (?, ?::jsonb) ON CONFLICT (business_key) DO NOTHING")) {
            for (Event event : call) {
                insert.setString(1, event.businessKey());
                insert.setString(2, event.payloadJson());
                insert.executeUpdate();
            }
        }
    }

    private static Event event(String key) {
        return new Event(key, "{\"catalogId\": \"c1\", \"productIds\": [\"" + key + "\"]}");
    }

    private static List<List<Event>> distinct(int client, int calls, int size) {
        return IntStream.range(0, calls)
                .mapToObj(call -> IntStream.range(0, size)
                        .mapToObj(i -> event("evt-" + client + "-" + call + "-" + i))
                        .toList())
                .toList();
    }

    private static List<List<Event>> redelivered(int client, int calls, int size) {
        Random random = new Random(client);
        List<List<Event>> distinct = distinct(client, calls, size);
        return IntStream.range(0, calls)
                .mapToObj(call -> distinct.get(call).stream()
                        .map(event -> call > 0 && random.nextInt(100) < 30
                                ? distinct.get(random.nextInt(call)).get(random.nextInt(size))
                                : event)
                        .toList())
                .toList();
    }

    private static List<List<Event>> same(int client, int rounds) {
        Random random = new Random(client);
        return IntStream.range(0, rounds)
                .mapToObj(round -> {
                    List<Event> keys = new ArrayList<>(IntStream.range(0, 1_000)
                            .mapToObj(i -> event("evt-" + i))
                            .toList());
                    Collections.shuffle(keys, random);
                    return List.of(keys.subList(0, 500), keys.subList(500, 1_000));
                })
                .flatMap(List::stream)
                .toList();
    }

    private static List<List<Event>> overlapping(int client, int calls, int size) {
        Random random = new Random(client);
        return IntStream.range(0, calls)
                .mapToObj(call -> IntStream.range(0, size)
                        .mapToObj(i -> event("evt-" + random.nextInt(10_000)))
                        .toList())
                .toList();
    }
}
