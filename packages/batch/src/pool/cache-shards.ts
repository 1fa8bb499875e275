import type { Clock } from "@unroll/flow";

/** Numbers of tasks that share a key of the provider's cache. */
export interface CacheShards {
  /** The number for a task that begins: the first that has room. The task leaves it at its end. */
  join(): CacheShard;
}

interface CacheShard extends Disposable {
  readonly number: number;
  /** The task sends a request. */
  count(): void;
}

/** A key serves about 15 requests a minute well (OpenAI's page on prompt caching). */
const requestsPerMinute = 15;
/** A running task is expected to send so many a minute. */
const expectedPerMinute = 5;

/** No task has a number yet. `clock`: tells which requests were sent within the last minute. */
export function createCacheShards(clock: Pick<Clock, "elapsed">): CacheShards {
  const shards: { running: number; readonly sent: number[] }[] = [];

  function hasRoom({ running, sent }: (typeof shards)[number]): boolean {
    const since = clock.elapsed() - 60_000;
    while ((sent[0] ?? Infinity) < since) sent.shift();
    return Math.max(sent.length, running * expectedPerMinute) < requestsPerMinute;
  }

  return {
    join() {
      const shard = shards.find(hasRoom) ?? { running: 0, sent: [] };
      if (!shards.includes(shard)) shards.push(shard);
      shard.running += 1;
      return {
        number: shards.indexOf(shard),
        count: () => void shard.sent.push(clock.elapsed()),
        [Symbol.dispose]() {
          shard.running -= 1;
        },
      };
    },
  };
}
