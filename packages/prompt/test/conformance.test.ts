import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type PromptContext,
  PromptError,
  type PromptFiles,
  renderEnvironmentChange,
  renderInitialPrompt,
  renderPermissionsChange,
  renderContextChange,
  type ContextTexts,
  toUserItems,
} from "@unroll/prompt";
import type { MessageItem, UserInput } from "@unroll/protocol";
import { expect, test } from "vitest";
import { createMemoryFiles } from "./memory-files.ts";

const root = join(import.meta.dirname, "../../../conformance/prompt");

/** A case's `context.json`; see the README beside the cases. */
interface Case {
  readonly context?: Partial<PromptContext>;
  readonly links?: Readonly<Record<string, string>>;
  readonly unreadable?: Readonly<Record<string, string>>;
  readonly user?: UserInput;
  readonly permissionsChange?: Partial<PromptContext>;
  readonly environmentChange?: Partial<PromptContext>;
  readonly standingChange?: Partial<ContextTexts>;
}

const names = readdirSync(root).filter((name) => /^\d{3}-/u.test(name));

test.each(names)("%s renders as expected", async (name) => {
  const given: Case = readCase(name);
  const files = createMemoryFiles({ ...given, files: { ...readTree("base"), ...readTree(name) } });
  const actual = await renderCase(given, files);
  await expect(`${JSON.stringify(actual, null, 2)}\n`).toMatchFileSnapshot(join(root, name, "expected.json"));
});

async function renderCase(given: Case, files: PromptFiles): Promise<unknown> {
  const context = { ...(readCase("base") as { context: PromptContext }).context, ...given.context };
  try {
    const { told: _, ...prompt } = await renderInitialPrompt(context, files);
    return {
      prompt,
      user: given.user && (await toUserItems(given.user, prompt.skills, files)),
      permissionsChange: given.permissionsChange && renderPermissionsChange({ ...context, ...given.permissionsChange }),
      environmentChange: given.environmentChange && renderEnvironmentChange({ ...context, ...given.environmentChange }),
      standingChange: given.standingChange && renderTexts(given.standingChange, context.cwd),
    };
  } catch (error) {
    if (!(error instanceof PromptError)) throw error;
    return { error: { code: error.code, path: error.path, message: error.message } };
  }
}

function renderTexts(change: Partial<ContextTexts>, cwd: string): readonly MessageItem[] {
  const told = { developerInstructions: "", documents: "", skills: "", ...change };
  return renderContextChange(told, { cwd, changed: new Set(Object.keys(change) as (keyof ContextTexts)[]) });
}

function readCase(name: string): Case {
  return JSON.parse(readFileSync(join(root, name, "context.json"), "utf8")) as Case;
}

/** The files below `input/`, as if that were `/`. */
function readTree(name: string): Record<string, Uint8Array> {
  const folder = join(root, name, "input");
  const paths = statSync(folder, { throwIfNoEntry: false })
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
    : [];
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [`/${path}`, readFileSync(join(folder, path))]));
}
