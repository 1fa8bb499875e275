import { Redis } from "ioredis";
import type { QueueServer } from "../parse-queue-url.ts";
import { answerMs, type ServerAccess } from "./server-access.ts";
import { cancelMark } from "./cancel-mark.ts";

/** As BullMQ writes it. */
const mark = JSON.stringify(cancelMark);

export function openRedisAccess(connection: Extract<QueueServer, { type: "redis" }>["connection"]): ServerAccess {
  const options = { maxRetriesPerRequest: 1, lazyConnect: true, commandTimeout: answerMs };
  const redis = "url" in connection ? new Redis(connection.url, options) : new Redis({ ...options, ...connection });
  redis.on("error", () => {}); // the worker's own connections tell
  return {
    async readTime() {
      const [seconds = 0, micros = 0] = await redis.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    },
    repairTimes: async () => {}, // Redis itself measures its locks
    async findCancelled(jobs) {
      const looks = redis.pipeline();
      for (const { queueName, jobId } of jobs) looks.hget(`bull:${queueName}:${jobId}`, "progress");
      const found = (await looks.exec()) ?? [];
      return jobs.filter((_, index) => found[index]?.[1] === mark);
    },
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  };
}
