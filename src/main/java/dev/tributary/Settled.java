package dev.tributary;

/** Whether a write on a reserved job took effect. */
public enum Settled {
    /** The job was still held by this reservation, and the write was made. */
    DONE,
    /** The reservation is no longer the caller's: rescued, settled before, or reserved anew. Nothing was changed. */
    LEASE_LOST
}
