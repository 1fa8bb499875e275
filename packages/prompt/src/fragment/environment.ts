import type { MessageItem } from "@unroll/protocol";
import type { EnvironmentContext } from "../prompt-context.ts";
import { showPath } from "../text/bounded-text.ts";
import { tagValue } from "../text/tag.ts";
import type { Fragment, FragmentText } from "./fragment.ts";

const environmentMaxBytes = 8 * 1024;

/** Where and on which day the thread works. */
export const environmentFragment: Fragment<EnvironmentContext> = {
  name: "environment",
  role: "user",
  maxBytes: environmentMaxBytes,
  render: renderEnvironment,
};

/** The same text for a thread that is resumed in another folder or on another day: the latest one counts. */
export function renderEnvironment({ cwd, shellName, today }: EnvironmentContext): FragmentText {
  const values = [
    ["cwd", showPath(cwd)],
    ["shell", showPath(shellName)],
    ...(today ? [["current_date", today.date] as const] : []),
    ...(today?.timeZone ? [["timezone", today.timeZone] as const] : []),
  ] as const;
  return { tag: "environment_context", body: values.map(([tag, value]) => `  ${tagValue(tag, value)}`).join("\n") };
}

/**
 * Reads the facts of an environment message in any of its layouts: threads of an older unroll have it without
 * indentation and without a day. Paths are as the message shows them. Null: it is no such message.
 */
export function readEnvironment({ content }: MessageItem): EnvironmentContext | null {
  const [part] = content;
  if (part?.type !== "input_text") return null;
  const lines = part.text.matchAll(/^ *<(cwd|shell|current_date|timezone)>(.*)<\/\1>$/gm);
  const values = new Map([...lines].map(([, tag = "", value = ""]) => [tag, value]));
  const [cwd, shellName, date] = [values.get("cwd"), values.get("shell"), values.get("current_date")];
  if (cwd === undefined || shellName === undefined) return null;
  const today = date === undefined ? null : { date, timeZone: values.get("timezone") ?? null };
  return { cwd, shellName, ...(today && { today }) };
}
