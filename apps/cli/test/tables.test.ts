import { realServer } from "@unroll/mcp/fixture/servers";
import { expect, test } from "vitest";
import { openKeptThread, say } from "./kept-thread.ts";

const id = "01a20a1c-f3f8-7d15-ad7b-3e4e4093f482";
const long = (length: number): string => "abcdefgh-".repeat(length).slice(0, length - 1);
const model = `hf.example/${long(70)}`;
const address = `https://${long(60)}.example/${long(90)}`;
const skill = `---\nname: ${long(50)}\ndescription: ${"It packs files. ".repeat(20)}\n---\nDo.`;
const server = realServer("everything");

const config = `local_ports = []
[models."${model}"]
context_window = 1_234_567
efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
default_effort = "medium"
price = { input = 1234.5, cached_input = 123.25, output = 12345.75 }
[mcp_servers."${long(45)}"]
url = "${address}"
enabled = false
[mcp_servers.everything]
command = "${server.command}"
args = ${JSON.stringify(server.args)}
`;

/** Each with a text that must stay readable in it. */
const tables: readonly (readonly [string, string])[] = [
  ["models", model],
  ["threads list --all", id],
  ["threads gc --dry-run --older-than 0", id],
  ["cache report", "the request before was"],
  ["mcp list", address],
  ["mcp test everything", "Returns the sum of two numbers"],
  ["skills list", long(50)],
  ["agents list", "explorer"],
  ["doctor", "The demo model is built in"],
  ["doctor --hosts", "No other host is contacted."],
  ["sandbox --explain", "backend: "],
];

async function openWorld() {
  const world = await openKeptThread({
    id,
    now: Date.now() + 1e9,
    said: [say("user", "mend the parser, and then all the others ".repeat(9))],
  });
  await world.write("home/.codex/config.toml", config);
  await world.write(`home/.agents/skills/${long(50)}/SKILL.md`, skill);
  return world;
}

test.each([80, 40])("no table is wider than a terminal of %d columns, and none loses a value", async (columns) => {
  await using world = await openWorld();
  for (const [command, value] of tables) {
    const { stdout } = await world.run(command.split(" "), {}, columns);
    const rows = stdout.split("\n");
    expect({ command, tooWide: rows.filter((row) => row.length > columns) }).toEqual({ command, tooWide: [] });
    expect({ command, text: stdout.replaceAll(/\s/g, "") }).toEqual({
      command,
      text: expect.stringContaining(value.replaceAll(/\s/g, "")),
    });
  }
});

test("without a terminal each row of a table is one line, with all columns", async () => {
  await using world = await openWorld();
  const lines = async (command: string): Promise<readonly string[]> =>
    (await world.run(command.split(" "))).stdout.split("\n");
  expect(await lines("models")).toContainEqual(expect.stringMatching(new RegExp(`^ +${model} .*12345\\.75 +config$`)));
  expect(await lines("threads list")).toContainEqual(expect.stringMatching(new RegExp(`^${id} .* mend the parser`)));
  expect(await lines("cache report")).toContainEqual(expect.stringMatching(/written.*without cache {2}why it missed/));
  expect(await lines("mcp list")).toContain(`${long(45)}  disabled  ${address}`);
  expect(await lines("skills list")).toContainEqual(expect.stringMatching(/^abcdefgh.*SKILL\.md\)$/));
});
