import { type ItemAuthor, readAuthor } from "@unroll/protocol";
import { expect, test } from "vitest";
import { giveAuthors } from "../src/foreign/give-author.ts";
import { toSent } from "./store-world.ts";

const yours = (...parts: readonly number[]): ItemAuthor => ({ type: "user", parts });
const ours = (fragment: string): ItemAuthor => ({ type: "harness", fragment });

test.for([
  [ours("environment"), ["<environment_context>\n<cwd>/repo</cwd>\n<shell>bash</shell>\n</environment_context>"]],
  [
    ours("instructions"),
    ["<user_instructions>\n# AGENTS.md instructions for /repo\n\nUse tabs.\n</user_instructions>"],
  ],
  [ours("instructions"), ["# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"]],
  [ours("skill_list"), ["<user_instructions>\n# Skills for /repo\n\n- a: b\n</user_instructions>"]],
  [ours("skill"), ["<skill>\n<name>a</name>\nHow.\n</skill>"]],
  [ours("turn_interrupted"), ["<turn_interrupted>\nThe user stopped it.\n</turn_interrupted>"]],
  [ours("turn_interrupted"), ["<turn_aborted>\nThe user stopped it.\n</turn_aborted>"]],
  [ours("summary"), ["<conversation_summary>\nNotes.\n</conversation_summary>"]],
  [yours(0), ["What does <environment_context> mean?"]],
  [yours(0), ["<environment_context> is a tag, isn't it?"]],
  [yours(0), ["Look.", "<unsaved_changes>\nA file.\n</unsaved_changes>"]],
] as const)(
  "who wrote a message of another version or program is read from it when it is loaded: %j",
  ([author, texts]) => {
    const message = { type: "message", role: "user", content: texts.map((text) => ({ type: "input_text", text })) };
    const loaded = giveAuthors({ type: "item", item: toSent(JSON.stringify(message)) });
    expect(loaded.type === "item" && readAuthor(loaded.item.item)).toEqual(author);
  },
);
