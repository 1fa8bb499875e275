import { expect, test } from "vitest";
import { simulateFleet } from "../src/virtual-fleet.ts";

const fleet = { machines: 2, threads: 100, cores: 1_000, limit: 1_000_000, groups: 1, queue: "redis" } as const;

test("where nothing waits, virtual workers end as many tasks as arithmetic says, the same each time", () => {
  const result = simulateFleet(fleet);
  expect(result.tasksAnHour / ((200 * 3600) / 180)).toBeCloseTo(1, 1);
  expect(simulateFleet(fleet)).toEqual(result);
});

test("the place that is too small decides how many tasks end", () => {
  const limited = simulateFleet({ ...fleet, limit: 600 });
  expect(limited.tasksAnHour / (600 / 20) / 60).toBeCloseTo(1, 1);
  expect(limited.places.provider.busy).toBeGreaterThan(0.98);
  const small = simulateFleet({ ...fleet, cores: 8 });
  expect(small.tasksAnHour / ((16 * 3600) / 30)).toBeCloseTo(1, 1);
  const { queue } = simulateFleet(fleet).places;
  expect(simulateFleet({ ...fleet, groups: 2 }).places.queue.busy).toBeCloseTo(queue.busy / 2);
});
