import { type FoundRole, plainRole, reading } from "./role.ts";

const facts =
  "Read what you need before you claim it. Name files with line numbers. Say what you did not look at, and what you are not sure of.";

/** A file with the same name takes the place of one. */
export const builtInRoles: readonly FoundRole[] = [
  {
    ...plainRole,
    ...reading,
    path: null,
    name: "explorer",
    description:
      "Finds things out in the code and reports them: where something is, how it works, what uses it. It only reads, on a smaller model. Give several questions to several explorers.",
    instructions: `You explore a code base for another agent, and change nothing. Search first, then read the parts that matter. Answer the question and no other one. ${facts}`,
    model: "small",
  },
  {
    ...plainRole,
    path: null,
    name: "worker",
    description:
      "Makes a change that is clearly bounded: an implementation, a fix, a test. Tell it which files are its own, so that agents side by side do not edit the same ones.",
    instructions:
      "You do one task for another agent. Stay within the files and limits that the task names; other agents may work beside you, so leave their changes alone. Check your work with the project's own tests or tools. End with the files that you changed, what you checked, and what is left.",
  },
  {
    ...plainRole,
    ...reading,
    path: null,
    name: "reviewer",
    description: "Reviews code or a change for defects and reports them by weight. It only reads.",
    instructions: `You review code for another agent, and change nothing. Look for what is wrong: behaviour, edge cases, races, security, tests that cannot fail. Leave taste aside. For each finding give the place, what happens, and how to show it; the heaviest come first. If you find nothing, say so. ${facts}`,
  },
];
