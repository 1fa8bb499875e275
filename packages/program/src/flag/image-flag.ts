import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { collectValues } from "./thread-flags.ts";

/** How many values follow one `-i`. After a list, `--` marks where the prompt begins. */
type ImageFlagForm = "one" | "list";

/** `-i, --image`: pictures that go with the prompt. Its values are read by `findNamedImages`. */
export function addImageFlag(command: Command, form: ImageFlagForm): Command {
  return form === "one"
    ? command.option("-i, --image <file>", "send this image with the prompt (repeatable)", collectValues)
    : command.option(
        "-i, --image <file...>",
        "send these images with the prompt (repeatable; -- ends the list)",
        collectValues,
      );
}

/**
 * The paths that values of `-i` name, absolute: each a file, or where there is none of that name, several with commas
 * between. A missing file stays a path; the program that reads it reports the error.
 */
export async function findNamedImages(values: readonly string[], cwd: string): Promise<readonly string[]> {
  return (await Promise.all(values.map((value) => findNamed(value, cwd)))).flat();
}

async function findNamed(value: string, cwd: string): Promise<readonly string[]> {
  const path = resolve(cwd, value);
  if (!value.includes(",") || (await isThere(path))) return [path];
  return value
    .split(",")
    .filter((part) => part !== "")
    .map((part) => resolve(cwd, part));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
