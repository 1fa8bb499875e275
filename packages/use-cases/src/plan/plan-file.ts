import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemErrorCode } from "@unroll/text";

/** The file that holds the plan of a thread; absolute. It need not exist. */
export function findPlanFile(codexHome: string, threadId: string): string {
  return join(codexHome, "plans", `${threadId}.md`);
}

/** Null: there is no plan yet. Throws what the system refuses. */
export async function readPlan(file: string): Promise<string | null> {
  try {
    const text = await readFile(file, "utf8");
    return text.trim() === "" ? null : text;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** For the user's eyes only. Throws what the system refuses. */
export async function writePlan(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
}

/**
 * Writes the plan of an answer, from its heading to the end; an answer without the heading only where there is no plan yet, since a
 * model may leave it out. False: the answer is not a plan, and the file stays unchanged.
 */
export async function savePlan(file: string, answer: string): Promise<boolean> {
  const at = answer.search(/^# plan\b/im);
  if (at < 0 && (await readPlan(file)) !== null) return false;
  await writePlan(file, answer.slice(Math.max(at, 0)));
  return true;
}

/** The message that tells the model to run a plan. */
export function toApproval(plan: string): string {
  return `The plan is approved; plan mode is over, and you may change files again. Carry it out:\n\n${plan}`;
}
