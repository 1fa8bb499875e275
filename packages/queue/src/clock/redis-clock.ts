import { Redis } from "ioredis";
import type { QueueServer } from "../parse-queue-url.ts";
import type { ServerClock } from "../server-clock.ts";

/** Redis itself measures its locks. */
export function openRedisClock(connection: Extract<QueueServer, { type: "redis" }>["connection"]): ServerClock {
  const options = { maxRetriesPerRequest: 1, lazyConnect: true };
  const redis = "url" in connection ? new Redis(connection.url, options) : new Redis({ ...options, ...connection });
  redis.on("error", () => {}); // the worker's own connections tell
  return {
    async readTime() {
      const [seconds = 0, micros = 0] = await redis.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    },
    repairTimes: async () => {},
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  };
}
