import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests start hundreds of processes. */
const spawners = /\/(?:sandbox|exec-policy)\/test\//;

/**
 * Begins with the tests that start most processes, while their workers are small: to fork takes 2 ms of a worker's time then,
 * and 10 ms when it has grown to a gigabyte. Otherwise the order that vitest would take, the longest first.
 */
export class SpawnersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSpawner = ({ moduleId }: TestSpecification): boolean => spawners.test(moduleId);
    return [...sorted.filter(isSpawner), ...sorted.filter((file) => !isSpawner(file))];
  }
}
