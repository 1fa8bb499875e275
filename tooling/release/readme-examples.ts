import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ReadmeExample {
  readonly name: string;
  /** Of the package that it is of, absolute. */
  readonly folder: string;
  readonly code: string;
}

/** Each README example of the packages and of the repository. */
export function listReadmeExamples(root: string): readonly ReadmeExample[] {
  return globSync(["packages/*/README.md", "README.md"], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, index) => ({
      name: `${file}, example ${index + 1}`,
      folder: join(root, file === "README.md" ? "packages/harness" : dirname(file)),
      code: match[1] ?? "",
    })),
  );
}
