import { readPlan, toApproval, writePlan } from "@unroll/use-cases/plan";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const planCommand: TerminalCommand = {
  name: "plan",
  description: "make a plan first: nothing but it is written until you approve it",
  argument: "[WHAT|show|edit|go|off]",
  timing: "between_turns",
  async run(context, argument) {
    const { plan, send, tell } = context;
    switch (argument) {
      case "show":
        return show(context);
      case "edit":
        return edit(context);
      case "go":
        return carryOut(context);
      case "off":
        if (plan.isOn) plan.set("off");
        return tell("Plan mode is off.");
      default:
        if (!plan.isOn) plan.set("on");
        tell("Plan mode: the model reads, and changes nothing. /plan go carries the plan out, /plan off ends this.");
        if (argument !== "") send(argument);
    }
  },
};

async function show({ plan, page, tell }: CommandContext): Promise<void> {
  const text = await readPlan(plan.file);
  if (text === null) return tell("There is no plan yet.");
  page({ title: plan.file, text, kind: "markdown" });
}

async function edit({ plan, edit: openEditor, tell }: CommandContext): Promise<void> {
  const text = await openEditor((await readPlan(plan.file)) ?? "");
  if (text === null) return;
  await writePlan(plan.file, text);
  tell(`The plan is written: ${plan.file}`);
}

async function carryOut({ conversation, plan, send, tell, choose }: CommandContext): Promise<void> {
  const text = await readPlan(plan.file);
  if (text === null) return tell("There is no plan yet: say what is to be done, or /plan edit.");
  const options = [
    { value: "here", label: "here", description: "with all that was read for it" },
    { value: "anew", label: "in a new conversation", description: "with nothing but the plan" },
  ];
  const where = await choose({ title: "Carry the plan out", options });
  if (where === null) return;
  if (plan.isOn) plan.set("off");
  if (where === "anew") await conversation.open({ type: "new" });
  send(toApproval(text));
}
