import { findPlan } from "@unroll/program";
import type { TurnOutcome } from "@unroll/protocol";
import { readPlan, writePlan } from "../command/list/plan.ts";
import { call } from "./call-person.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

/** Who waited this long, in ms, may look elsewhere, where the terminal does not tell. */
const longMs = 10_000;

/** What the end of a turn leads to: the person is called, and a plan is kept. */
export async function afterTurn(talk: Talk, outcome: TurnOutcome, tookMs: number): Promise<void> {
  if (outcome.type === "interrupted") return;
  const said = outcome.type === "completed" ? (outcome.finalMessage ?? "") : outcome.error.message;
  call(talk, { type: "agent-turn-complete", message: said, isLong: tookMs >= longMs });
  if (outcome.type !== "completed" || !talk.plan.isOn || said.trim() === "") return;
  await keepPlan(talk, said);
}

/** An answer that is no plan is only kept where there is none yet: a model may leave out the heading. */
async function keepPlan(talk: Talk, said: string): Promise<void> {
  const { file } = talk.plan;
  const kept = findPlan(said) ?? ((await readPlan(file)) === null ? said : null);
  if (kept === null)
    return tell(talk, `This answer has no heading "# Plan: …": the plan in ${file} stays as it is.`, "muted");
  await writePlan(file, kept);
  const ways = "/plan go carries it out, /plan edit changes it; or say what is to be different.";
  tell(talk, `The plan is kept in ${file}. ${ways}`, "muted");
}
