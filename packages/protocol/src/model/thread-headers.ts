/** All of them. */
export const threadHeaderStyles = ["hyphen", "both", "none"] as const;

/**
 * By which headers a provider is told which thread a request belongs to, so that it can send the request to the machine that has the
 * thread's cache. `hyphen`: `session-id`, `thread-id` and `x-client-request-id`. `both`: the older `session_id` as well, for proxies
 * that know only that one. `none`: nothing.
 */
export type ThreadHeaders = (typeof threadHeaderStyles)[number];
