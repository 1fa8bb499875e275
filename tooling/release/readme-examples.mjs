import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Each README example of the packages (and of the repository): the code, and the folder of its package, from the root. */
export function listReadmeExamples(root) {
  return globSync(["packages/*/README.md", "README.md"], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, index) => ({
      name: `${file}, example ${index + 1}`,
      folder: join(root, file === "README.md" ? "packages/harness" : dirname(file)),
      code: match[1] ?? "",
    })),
  );
}
