import { threadStoreCases } from "@unroll/protocol/store-suite";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openStoreWorld } from "./store-world.ts";

test.each(threadStoreCases)("in files: $name", async ({ run }) => {
  await using world = await openStoreWorld();
  const options = { codexHome: world.codexHome, clock: { now: Date.now }, pid: process.pid };
  await expect(run(async () => openThreadStore(options))).resolves.toBeUndefined();
});
