import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ReadmeExample {
  readonly name: string;
  /** The folder of its package, absolute. */
  readonly folder: string;
  readonly code: string;
  /** The output that the README shows in the `text` block below it; null: it shows none. */
  readonly output: string | null;
}

/** An example, and the `text` block that may follow it: after "It prints:", or directly. */
const exampleBlock = /^```ts\n([\s\S]*?)^```$(?:\n\n?(?:It prints:\n\n)?```text\n([\s\S]*?)^```$)?/gm;

/** Each README example of the packages and of the repository. */
export function listReadmeExamples(root: string): readonly ReadmeExample[] {
  return globSync(["packages/*/README.md", "README.md"], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(exampleBlock)].map((match, index) => ({
      name: `${file}, example ${index + 1}`,
      folder: join(root, file === "README.md" ? "packages/harness" : dirname(file)),
      code: match[1] ?? "",
      output: match[2] ?? null,
    })),
  );
}
