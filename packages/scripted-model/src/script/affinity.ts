/** Which header a server finds a thread's cache by: `hyphen`, as OpenAI's (`session-id`), or `underscore`, as older proxies (`session_id`). */
export type Affinity = "hyphen" | "underscore";
