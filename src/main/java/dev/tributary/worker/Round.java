package dev.tributary.worker;

/**
 * What one round of a worker did.
 *
 * @param rescued jobs of others whose lease had expired
 * @param reserved jobs taken
 * @param completed of those, ended COMPLETED
 * @param refused of those, put back
 * @param failed of those, ended FAILED: by their handler or after their last attempt
 * @param leasesLost of those, no longer held when they were to be settled
 */
public record Round(int rescued, int reserved, int completed, int refused, int failed, int leasesLost) {}
