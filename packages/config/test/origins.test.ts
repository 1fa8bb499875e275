import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTempHome } from "./temp-home.ts";

const text = fc.string({ unit: anyCharacter }).filter((value) => value.isWellFormed());
const name = text.filter((value) => !["__proto__", "constructor"].includes(value));
const server = fc.record({
  command: fc.constant("x"),
  args: fc.array(text),
  env: fc.dictionary(name, text),
});
const servers = fc.dictionary(name, server, { minKeys: 1 });

const quote = (value: string): string => JSON.stringify(value).replaceAll("\x7f", "\\u007f");
const toKey = (part: string): string => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part));

interface Written {
  text: string;
  /** Dotted key to `line:column`. */
  readonly places: Record<string, string>;
}

function writeKey(written: Written, path: readonly string[]): void {
  const line = written.text.split("\n").length;
  const column = written.text.length - written.text.lastIndexOf("\n");
  written.places[path.map(toKey).join(".")] = `${line}:${column}`;
  written.text += `${quote(path.at(-1) ?? "")} = `;
}

function writeValue(written: Written, path: readonly string[], value: unknown): void {
  if (typeof value === "string") written.text += quote(value);
  else if (Array.isArray(value))
    written.text += `[ # ]\n${value.map((item: string) => `${quote(item)}, # '''\n`).join("")}]`;
  else {
    written.text += "{";
    for (const [key, entry] of Object.entries(value as object)) {
      written.text += written.text.endsWith("{") ? " " : ",  ";
      writeKey(written, [...path, key]);
      writeValue(written, [...path, key], entry);
    }
    written.text += "}";
  }
}

test("the place of a value is where its key is written, no matter what precedes it", async () => {
  await fc.assert(
    fc.asyncProperty(servers, text, async (document, comment) => {
      const written: Written = { text: `# ${quote(comment)}\r\n  x = """\n[y]\n"""" # " """\n`, places: {} };
      for (const [id, table] of Object.entries(document)) {
        written.text += `\n [ mcp_servers . ${quote(id)} ] # [x]\n`;
        for (const [key, value] of Object.entries(table)) {
          writeKey(written, ["mcp_servers", id, key]);
          writeValue(written, ["mcp_servers", id, key], value);
          written.text += "\t# = {\n";
        }
      }
      await using home = await createTempHome({ "config.toml": written.text });
      const { origins } = await home.load({ cwd: home.path });
      const found = Object.keys(written.places).map((key) => {
        const origin = origins.get(key);
        return [key, origin?.type === "file" ? `${origin.line}:${origin.column}` : origin];
      });
      expect(Object.fromEntries(found)).toEqual(written.places);
    }),
    { numRuns: 100 },
  );
});

// by its square, it would take minutes
test("a file of thousands of servers is read, and each value has its place", async () => {
  const count = 4000;
  const servers = Array.from(
    { length: count },
    (_, index) => `[mcp_servers.s${index}]\ncommand = "c"\nenabled = false\n`,
  );
  await using home = await createTempHome({ "config.toml": servers.join("") });
  const { origins } = await home.load();
  expect(origins.get(`mcp_servers.s${count - 1}.enabled`)).toEqual({
    type: "file",
    path: home.configFile,
    line: 3 * count,
    column: 1,
  });
});
