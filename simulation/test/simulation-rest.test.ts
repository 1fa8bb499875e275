import { test } from "vitest";
import { holdSeeds, openLoadedSimulation } from "./hold-seeds.ts";

test("no law is broken in as many more threads, beside the others", { timeout: 300_000 }, async () => {
  await holdSeeds(await openLoadedSimulation(), 1);
});
