import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ReadmeExample {
  readonly name: string;
  /** The folder that it runs in, absolute. */
  readonly folder: string;
  readonly code: string;
  /** The `text` block below it, which shows its output; null: there is none. */
  readonly output: string | null;
}

/** An example, and the `text` block that may follow it: after "It prints:", or directly. */
const exampleBlock = /^```ts\n([\s\S]*?)^```$(?:\n\n?(?:[^\n]*[Ii]t prints:\n\n)?```text\n([\s\S]*?)^```$)?/gm;

/** The README of the repository and these pages are about the whole: their examples belong to the harness. */
const pages = ["README.md", "docs/library.md", "docs/scripted-model.md", "docs/extending.md"];

/** Each example of the packages' READMEs, and of the pages. */
export function listReadmeExamples(root: string): readonly ReadmeExample[] {
  return globSync(["packages/*/README.md", ...pages], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(exampleBlock)].map((match, index) => ({
      name: `${file}, example ${index + 1}`,
      folder: join(root, pages.includes(file) ? "packages/harness" : dirname(file)),
      code: match[1] ?? "",
      output: match[2] ?? null,
    })),
  );
}
