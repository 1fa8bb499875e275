import { chmod, mkdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@unroll/config";
import { addMcpServer, removeMcpServer } from "@unroll/config/upkeep";
import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { createConfigFile } from "./fixture/config-file.ts";

const linear = { command: "npx", args: ["-y", "linear"], env: { LEVEL: "debug" } };
const linearText = `[mcp_servers.linear]
command = "npx"
args = [ "-y", "linear" ]

[mcp_servers.linear.env]
LEVEL = "debug"
`;

const commented = `# My config
model = "gpt-5" # the good one

# Issues
[mcp_servers.github] # of the team
command = "github" # installed by hand
# not yet:
# args = ["--all"]

  # Work
[projects."/work"]
trust_level = "trusted"
`;

describe("adding a server", () => {
  test("puts it behind its siblings and leaves the rest as it is", async () => {
    await using file = await createConfigFile(commented);
    await addMcpServer(file.path, "linear", linear);
    const at = commented.indexOf("# not yet");
    expect(await file.read()).toBe(`${commented.slice(0, at)}\n${linearText}\n${commented.slice(at)}`);
  });

  test("keeps line ends, a byte order mark and the mode of the file", async () => {
    await using file = await createConfigFile(`\uFEFF${commented.replaceAll("\n", "\r\n")}`);
    await chmod(file.path, 0o640);
    await addMcpServer(file.path, "linear", linear);
    const text = await file.read();
    expect(text.startsWith("\uFEFF# My config\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect((await stat(file.path)).mode & 0o777).toBe(0o640);
  });

  test.for([
    ["no file", null, linearText],
    ["an empty file", "", linearText],
    ["a file without a last line end", 'model = "a"', `model = "a"\n\n${linearText}`],
    ["a file without servers", 'model = "a"\n', `model = "a"\n\n${linearText}`],
    [
      "servers as dotted keys",
      'mcp_servers.a.command = "a"\nmodel = "b"\n',
      `mcp_servers.a.command = "a"\nmodel = "b"\n\n${linearText}`,
    ],
  ] as const)("works with %s", async ([, before, after]) => {
    await using file = await createConfigFile(before);
    await addMcpServer(file.path, "linear", linear);
    expect(await file.read()).toBe(after);
  });

  test("makes a file that only its owner can read", async () => {
    await using file = await createConfigFile(null);
    await addMcpServer(file.path, "linear", linear);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  });

  test("writes through a link", async () => {
    await using file = await createConfigFile("# real\n");
    const folder = join(file.path, "../linked");
    await mkdir(folder);
    await symlink(file.path, join(folder, "config.toml"));
    await addMcpServer(join(folder, "config.toml"), "linear", linear);
    expect(await file.read()).toBe(`# real\n\n${linearText}`);
  });

  test.for([
    ["that is there", commented, "github", linear, "edit_impossible", "already has a [mcp_servers.github]"],
    ["with an address that is none", "", "a", { url: "ftp://a" }, "mcp_server_invalid", "http://"],
    [
      "with a token for a variable",
      "",
      "a",
      { url: "http://a", bearer_token_env_var: "sk-1" },
      "value_invalid",
      "name",
    ],
    ["to what is no TOML", "model =", "a", linear, "toml_invalid", "config.toml:1:"],
    ["to an inline table", "mcp_servers = { a = {command = 'a'} }\n", "b", linear, "edit_impossible", "by hand"],
  ] as const)("%s is refused, and nothing is written", async ([, before, id, server, code, message]) => {
    await using file = await createConfigFile(before);
    const error = await addMcpServer(file.path, id, server).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain("sk-1");
    expect(await file.read()).toBe(before);
  });
});

describe("removing a server", () => {
  test.for([
    ["a table", commented, "github", commented.replace(/\[mcp_servers.github\].*\n.*\n/, "")],
    ["a table with others below it", `# a\n\n${linearText}\n# b\n[z]\n`, "linear", "# a\n\n# b\n[z]\n"],
    ["the last table", `model = "a"\n\n${linearText}`, "linear", 'model = "a"\n'],
    ["dotted keys", 'mcp_servers.a.command = "a"\nmodel = "b"\nmcp_servers.a.args = []\n', "a", 'model = "b"\n'],
    [
      "the first of an inline table",
      "mcp_servers = { a = {command = 'a'}, b = {command = 'b'} } # c\n",
      "a",
      "mcp_servers = { b = {command = 'b'} } # c\n",
    ],
    [
      "the last of an inline table",
      "mcp_servers = { a = {command = 'a'}, b = {command = 'b'} } # c\n",
      "b",
      "mcp_servers = { a = {command = 'a'} } # c\n",
    ],
    [
      "a quoted name",
      "[mcp_servers.'a b']\ncommand = 'a'\n[mcp_servers.a]\ncommand = 'a'\n",
      "a b",
      "[mcp_servers.a]\ncommand = 'a'\n",
    ],
  ] as const)("takes out %s and nothing else", async ([, before, id, after]) => {
    await using file = await createConfigFile(before);
    expect(await removeMcpServer(file.path, id)).toBe(true);
    expect(await file.read()).toBe(after);
  });

  test("that is not there changes nothing", async () => {
    await using file = await createConfigFile(commented);
    expect(await removeMcpServer(file.path, "linear")).toBe(false);
    expect(await file.read()).toBe(commented);
  });
});

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const name = fc
  .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 6 })
  .filter((id) => !["__proto__", "constructor"].includes(id));
const server = fc.record({
  command: text.filter((command) => command !== ""),
  args: fc.array(text, { maxLength: 3 }),
  env: fc.dictionary(name, text, { minKeys: 1, maxKeys: 2 }),
});
const servers = fc.dictionary(name, server, { minKeys: 1, maxKeys: 4 });

test("any server can be added to any others and removed again, which gives the text that was there", async () => {
  await fc.assert(
    fc.asyncProperty(servers, server, fc.constantFrom("\n", "\r\n"), async (others, added, lineEnd) => {
      const before = `# top\nmodel = "a" # end\n\n${stringify({ mcp_servers: others, zone: { a: 1 } })}`.replaceAll(
        "\n",
        lineEnd,
      );
      await using file = await createConfigFile(before);
      await addMcpServer(file.path, "an added one", added);
      expect(parse(await file.read())).toMatchObject({
        mcp_servers: { ...others, "an added one": { args: added.args } },
      });
      await removeMcpServer(file.path, "an added one");
      expect(await file.read()).toBe(before);
    }),
    { numRuns: 100 },
  );
});
