package dev.tributary.examples.pricerefresh;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What the service and its worker process say to each other, one JSON object a line. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Message.Ask.class, name = "ask"),
    @JsonSubTypes.Type(value = Message.Answer.class, name = "answer"),
    @JsonSubTypes.Type(value = Message.Merged.class, name = "merged"),
    @JsonSubTypes.Type(value = Message.Happened.class, name = "happened"),
    @JsonSubTypes.Type(value = Message.Complaint.class, name = "complaint")
})
sealed interface Message {
    /** The worker has reserved a job and asks the engine. */
    record Ask(long number, long jobId, Refresh refresh) implements Message {}

    /** The engine has recalculated, or it refuses. */
    record Answer(long number, @Nullable Refusal refusal) implements Message {}

    /** A refused job was merged into another. */
    record Merged(long jobId, long intoJobId) implements Message {}

    /** Something to count. */
    record Happened(Count count) implements Message {}

    /** Something to show. */
    record Complaint(String text) implements Message {}

    JsonMapper JSON = JsonMapper.builder().build();

    static Message of(String line) {
        return JSON.readValue(line, Message.class);
    }

    default String line() {
        return JSON.writerFor(Message.class).writeValueAsString(this);
    }
}
