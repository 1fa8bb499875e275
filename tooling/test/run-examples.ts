/**
 * A program: runs the examples that stdin holds as JSON, one after the other, each as a module that lies in its folder, and
 * prints a line of JSON for each. One process, so that what they share is loaded once; it ends by itself where none of them
 * leaves something open.
 */
import { registerHooks } from "node:module";
import { chdir, stdin } from "node:process";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

interface Example {
  readonly name: string;
  readonly folder: string;
  readonly code: string;
}

export interface RanExample {
  readonly name: string;
  readonly fault: string | null;
}

const examples = JSON.parse(await text(stdin)) as readonly Example[];
const sources = new Map(examples.map((example) => [toUrl(example), example.code]));

registerHooks({
  resolve: (specifier, context, next) =>
    sources.has(specifier) ? { url: specifier, shortCircuit: true } : next(specifier, context),
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined ? next(url, context) : { format: "module-typescript", source, shortCircuit: true };
  },
});

for (const example of examples) {
  chdir(example.folder);
  const fault = await import(toUrl(example)).then(
    () => null,
    (error: unknown) => inspect(error),
  );
  console.log(`\n${JSON.stringify({ name: example.name, fault } satisfies RanExample)}`); // what it wrote may end in mid-line
}

function toUrl({ folder, name }: Example): string {
  return pathToFileURL(`${folder}/${name.replaceAll(/\W+/g, "-")}.ts`).href;
}
