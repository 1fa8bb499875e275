import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo.`;

async function openSkillWorld() {
  const world = await openInProcessWorld();
  return { ...world, run: (...args: readonly string[]) => world.run(args) };
}

test("skills list names all skills with what they are for and where, those that are off or not trusted too", async () => {
  await using world = await openSkillWorld();
  const { home, work } = world;
  expect(await world.run("skills", "list")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("No skills found."),
  });
  await world.write("home/.agents/skills/zip/SKILL.md", skill("zip", "Pack files\u202e."));
  await world.write("home/.codex/skills/deep/pdf/SKILL.md", skill("pdf", "Read PDF files."));
  await world.write("home/.codex/config.toml", '[[skills.config]]\nname = "pdf"\nenabled = false\n');
  await world.write("work/.agents/skills/own/SKILL.md", skill("own", "Of the project."));
  const pdf = `${home}/.codex/skills/deep/pdf/SKILL.md`;
  const zip = `${home}/.agents/skills/zip/SKILL.md`;
  expect(await world.run("skills", "list")).toEqual({
    exitCode: 0,
    stdout: `pdf  (off) Read PDF files.  (${pdf})\nzip  Pack files\\u{202e}.  (${zip})\n`,
    stderr:
      "unroll: This project is not trusted, so its 1 skill is not read: set its trust_level in config.toml (docs/skills.md).\n",
  });
  const json = (await world.run("skills", "list", "--json")).stdout.trim().split("\n");
  expect(json.map((line) => JSON.parse(line) as unknown)).toEqual([
    { name: "pdf", description: "Read PDF files.", path: pdf, state: "disabled" },
    { name: "zip", description: "Pack files\u202e.", path: zip, state: "enabled" },
    { name: null, description: null, path: `${work}/.agents/skills/own/SKILL.md`, state: "untrusted" },
  ]);
  const trusted = await world.run("skills", "list", "-c", `projects."${work}".trust_level="trusted"`);
  expect(trusted).toMatchObject({ stdout: expect.stringContaining("own  Of the project."), stderr: "" });
});

test("skills check tells each fault with its place, and gives exit code 1", async () => {
  await using world = await openSkillWorld();
  await world.write("home/.agents/skills/good/SKILL.md", skill("good", "Fine."));
  expect(await world.run("skills", "check")).toEqual({
    exitCode: 0,
    stdout: "No faults in 1 skill.\n",
    stderr: "",
  });
  await world.write("home/.agents/skills/bad/SKILL.md", skill("a b", "Bad."));
  await world.write("home/.agents/skills/long/SKILL.md", skill("long", "x".repeat(2000)));
  const bad = `${world.home}/.agents/skills/bad/SKILL.md`;
  const checked = await world.run("skills", "check");
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toContain(`${bad}:2:1: \`name\` must be 1 to 64 letters`);
  expect(checked.stdout).toContain("long/SKILL.md:3:1: `description` has 2000 bytes");
  const [first] = (await world.run("skills", "check", "--json")).stdout.split("\n");
  expect(JSON.parse(first ?? "")).toEqual({
    path: bad,
    line: 2,
    column: 1,
    problem: expect.stringContaining("`name` must be"),
    skipped: true,
  });
  expect(await world.run("skills", "check", "-C", "nowhere")).toMatchObject({ exitCode: 2 });
});
