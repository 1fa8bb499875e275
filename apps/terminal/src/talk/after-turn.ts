import type { TurnOutcome } from "@unroll/protocol";
import { writePlan } from "../command/list/plan.ts";
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
  await writePlan(talk.plan.file, said);
  tell(
    talk,
    `The plan is kept in ${talk.plan.file}. /plan go carries it out, /plan edit changes it; or say what is to be different.`,
    "muted",
  );
}
