import { readEnvironment, renderEnvironmentChange } from "@unroll/prompt";
import type { MessageItem } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";

const berlin = { date: "2026-11-23", timeZone: "Europe/Berlin" };

function user(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

test.for([
  [
    "with the day and the time zone",
    berlin,
    "  <cwd>/repo</cwd>\n  <shell>zsh</shell>\n  <current_date>2026-11-23</current_date>\n  <timezone>Europe/Berlin</timezone>",
  ],
  [
    "of a machine that does not know its time zone",
    { date: "2026-11-23", timeZone: null },
    "  <cwd>/repo</cwd>\n  <shell>zsh</shell>\n  <current_date>2026-11-23</current_date>",
  ],
  ["without a day", undefined, "  <cwd>/repo</cwd>\n  <shell>zsh</shell>"],
] as const)("the environment is one value a line, indented: %s", ([, today, lines]) => {
  const context = { cwd: "/repo", shellName: "zsh", ...(today && { today }) };
  const message = renderEnvironmentChange(context);
  expect(message).toEqual(user(`<environment_context>\n${lines}\n</environment_context>`));
  expect(readEnvironment(message)).toEqual(context);
});

test("a message of an older unroll, without indentation and day, is read as well", () => {
  const old = user("<environment_context>\n<cwd>/repo</cwd>\n<shell>zsh</shell>\n</environment_context>");
  expect(readEnvironment(old)).toEqual({ cwd: "/repo", shellName: "zsh" });
  expect(readEnvironment(user("Hi"))).toBeNull();
  expect(readEnvironment({ type: "message", role: "user", content: [] })).toBeNull();
});

test("an environment message reads back as it was written for any path: two messages read the same exactly if they are the same", () => {
  const path = fc.string({
    unit: fc.constantFrom("a", "/", "<", ">", "\n", " ", "<cwd>", "</cwd>", "</shell>"),
    maxLength: 30,
  });
  const property = fc.property(path, path, (one, other) => {
    const [first, second] = [one, other].map((cwd) => renderEnvironmentChange({ cwd, shellName: "sh", today: berlin }));
    const isSame = JSON.stringify(first) === JSON.stringify(second);
    expect(JSON.stringify(first && readEnvironment(first)) === JSON.stringify(second && readEnvironment(second))).toBe(
      isSame,
    );
    expect(first && readEnvironment(first)).toMatchObject({ shellName: "sh", today: berlin });
  });
  fc.assert(property);
});
