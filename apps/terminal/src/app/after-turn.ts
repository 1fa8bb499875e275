import type { TurnOutcome } from "@unroll/protocol";
import { savePlan } from "@unroll/use-cases/plan";
import { notifyPerson } from "./notify-person.ts";
import { type App, tell } from "./app.ts";

/** Who waited this long, in ms, may look elsewhere, where the terminal does not tell. */
const longMs = 10_000;

/** What the end of a turn leads to: the person is called, and a plan is kept. */
export async function afterTurn(app: App, outcome: TurnOutcome, tookMs: number): Promise<void> {
  if (outcome.type === "interrupted") return;
  const said = outcome.type === "completed" ? (outcome.finalMessage ?? "") : outcome.error.message;
  notifyPerson(app, { type: "agent-turn-complete", message: said, isLong: tookMs >= longMs });
  if (outcome.type !== "completed" || !app.plan.isOn || said.trim() === "") return;
  await keep(app, said);
}

async function keep(app: App, said: string): Promise<void> {
  const { file } = app.plan;
  if (!(await savePlan(file, said)))
    return tell(app, `This answer has no heading "# Plan: …": the plan in ${file} stays as it is.`, "muted");
  const ways = "/plan go carries it out, /plan edit changes it; or say what is to be different.";
  tell(app, `The plan is kept in ${file}. ${ways}`, "muted");
}
