/** All of them. */
export const threadHeaderStyles = ["hyphen", "both", "none"] as const;

/**
 * The headers that tell a provider which thread a request belongs to, so that it can send the
 * request to the machine with the thread's cache. `hyphen`: `session-id`, `thread-id` and
 * `x-client-request-id`. `both`: the older `session_id` as well, for proxies that only know that
 * one. `none`: no headers.
 */
export type ThreadHeaders = (typeof threadHeaderStyles)[number];
