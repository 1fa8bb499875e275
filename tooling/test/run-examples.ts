/**
 * A program: runs the examples in the JSON on stdin, one after the other, each as a module in its own folder, and prints
 * one line of JSON for each. One process loads what the examples share only once. It ends by itself, unless an example
 * leaves something open.
 */
import { registerHooks } from "node:module";
import { chdir, stdin, stdout } from "node:process";
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
  /** Its stdout. */
  readonly output: string;
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

const write = stdout.write.bind(stdout);
for (const example of examples) {
  chdir(example.folder);
  let output = "";
  stdout.write = (chunk: string | Uint8Array) => {
    output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  const fault = await import(toUrl(example)).then(
    () => null,
    (error: unknown) => inspect(error),
  );
  write(`${JSON.stringify({ name: example.name, fault, output } satisfies RanExample)}\n`);
}

function toUrl({ folder, name }: Example): string {
  return pathToFileURL(`${folder}/${name.replaceAll(/\W+/g, "-")}.ts`).href;
}
