import type { TurnOutcome } from "@unroll/protocol";
import { findPlanFile, savePlan } from "@unroll/use-cases/plan";
import { notifyPerson } from "./notify-person.ts";
import { type App, tell } from "./app.ts";
import { shortenHome } from "../text/shorten-home.ts";

/** After this time, in ms, you may look elsewhere; used if the terminal does not report its focus. */
const longMs = 10_000;

/** Notifies you after a turn, and saves its plan in plan mode. */
export async function afterTurn(app: App, outcome: TurnOutcome, tookMs: number): Promise<void> {
  if (outcome.type === "interrupted") return;
  const text = outcome.type === "completed" ? (outcome.finalMessage ?? "") : outcome.error.message;
  notifyPerson(app, { type: "agent-turn-complete", message: text, isLong: tookMs >= longMs });
  const { id, config, isPlanning } = app.threads.current;
  if (outcome.type !== "completed" || !isPlanning || text.trim() === "") return;
  const file = findPlanFile(config.codexHome, id);
  const shown = shortenHome(file, app.host.homeDirectory);
  const message = (await savePlan(file, text))
    ? `Plan saved in ${shown}. Run it with /plan go, change it with /plan edit, or tell the model what to change.`
    : `This answer has no heading "# Plan: …", so the plan in ${shown} is unchanged.`;
  tell(app, message, "muted");
}
