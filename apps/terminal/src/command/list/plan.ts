import { findPlanFile, readPlan, toApproval, writePlan } from "@unroll/use-cases/plan";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const planCommand: TerminalCommand = {
  name: "plan",
  description: "plan first; the model changes nothing until you approve",
  argument: "[TASK|show|edit|go|off]",
  choices: () => [
    { value: "show", description: "show the plan" },
    { value: "edit", description: "open the plan in your editor" },
    { value: "go", description: "end plan mode and run the plan" },
    { value: "off", description: "end plan mode" },
  ],
  timing: "between_turns",
  async run(context, argument) {
    const { thread, send, tell } = context;
    const file = findPlanFile(thread.config.codexHome, thread.id);
    switch (argument) {
      case "show":
        return show(context, file);
      case "edit":
        return edit(context, file);
      case "go":
        return runPlan(context, file);
      case "off":
        await thread.setPlanMode(false);
        return tell("Plan mode is off.");
      default:
        await thread.setPlanMode(true);
        tell(
          "Plan mode is on: the model reads and changes nothing. /plan go runs the plan, /plan off leaves plan mode.",
        );
        if (argument !== "") send(argument);
    }
  },
};

async function show({ page, tell }: CommandContext, file: string): Promise<void> {
  const text = await readPlan(file);
  if (text === null) return tell("There is no plan yet.");
  page({ title: file, text, kind: "markdown" });
}

async function edit({ edit: openEditor, tell }: CommandContext, file: string): Promise<void> {
  const text = await openEditor((await readPlan(file)) ?? "");
  if (text === null) return;
  await writePlan(file, text);
  tell(`Plan saved: ${file}`);
}

async function runPlan({ thread, threads, send, tell, choose }: CommandContext, file: string): Promise<void> {
  const text = await readPlan(file);
  if (text === null) return tell("There is no plan yet: send a task, or use /plan edit.");
  const options = [
    { value: "here", label: "here", description: "with everything that the model has read" },
    { value: "new", label: "in a new thread", description: "with the plan only" },
  ];
  const where = await choose({ title: "Where should the plan run?", options });
  if (where === null) return;
  await thread.setPlanMode(false);
  if (where === "new") await threads.open({ type: "new" });
  send(toApproval(text));
}
