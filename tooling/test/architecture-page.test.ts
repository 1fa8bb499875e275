import { join } from "node:path";
import type { TSInterfaceDeclaration } from "oxc-parser";
import { expect, test } from "vitest";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const page = repository.read("docs/architecture.md");
const [, picture = ""] = /```\n([\s\S]*?)```/.exec(page) ?? [];
const [, section = ""] = page.split("## 4. Contracts");
const [, contracts = ""] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];

const interfaces = [...contracts.matchAll(/^interface (\w+) \{ (.*) \}/gm)].map(([, name = "", members = ""]) => ({
  name,
  members: members.split("; ").map(toName),
}));
const calls = [
  ["openHarness", "HarnessOptions"],
  ["openThread", "ThreadOptions"],
].map(([call = "", name = ""]) => ({
  name,
  members: (new RegExp(`\\b${call}\\(\\{ ([^.}]*) \\}\\)$`, "m").exec(contracts)?.[1] ?? "").split(", "),
}));

test("every package and app is in the picture of docs/architecture.md", () => {
  const names = repository.list("{packages,apps}/*/package.json").map((file) => file.split("/")[1] ?? file);
  expect(names.filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(picture))).toEqual([]);
});

test("docs/architecture.md has contracts to look at", () => {
  expect(interfaces.length).toBeGreaterThan(10);
});

test.for([...interfaces, ...calls])("docs/architecture.md tells each member of $name", ({ name, members }) => {
  expect(listDeclared(name).map((each) => each.toSorted())).toContainEqual(members.toSorted());
});

function toName(member: string): string {
  return /^\w+/.exec(member)?.[0] ?? member;
}

/** The members of each interface of this name; two packages may have one each. */
function listDeclared(name: string): readonly (readonly string[])[] {
  return repository
    .list("packages/{protocol,core,tools,harness}/src/**/*.ts")
    .filter((file) => repository.read(file).includes(`interface ${name} `))
    .flatMap((file) =>
      repository.source(file).program.body.flatMap((statement) => {
        const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
        return declared?.type === "TSInterfaceDeclaration" && declared.id.name === name ? [membersOf(declared)] : [];
      }),
    );
}

function membersOf({ body }: TSInterfaceDeclaration): readonly string[] {
  return body.body.flatMap((member) =>
    (member.type === "TSPropertySignature" || member.type === "TSMethodSignature") && member.key.type === "Identifier"
      ? [member.key.name]
      : [],
  );
}
