import { link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHost, loadProgramConfig } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { readSkills } from "@unroll/use-cases/skills";
import { expect, test } from "vitest";

test("skills are those of a thread here, with what is wrong with any", async () => {
  await using home = await openModelHome({ script: { turns: [] } });
  const files = { good: "---\nname: good\ndescription: Does good.\n---\nDo it.", bad: "no head" };
  for (const [name, text] of Object.entries(files)) {
    const folder = join(home.home, ".codex/skills", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "SKILL.md"), text);
  }
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const { skills, faults, untrusted } = await readSkills(await loadProgramConfig({}, host), host);
  expect(skills.map(({ skill: { name, description }, isEnabled }) => [name, description, isEnabled])).toEqual([
    ["good", "Does good.", true],
  ]);
  expect(faults).toMatchObject([{ path: join(home.home, ".codex/skills/bad/SKILL.md"), isSkipped: true }]);
  expect(untrusted).toEqual([]);
});

test("a skill that is another name of a hidden file is not listed", async () => {
  await using home = await openModelHome({ script: { turns: [] } }, 'sandbox.deny_read = ["~/private"]');
  const [secret, folder] = [join(home.home, "private"), join(home.home, ".codex/skills/copied")];
  for (const each of [secret, folder]) await mkdir(each, { recursive: true });
  await writeFile(join(secret, "SKILL.md"), "---\nname: copied\ndescription: the key\n---\nDo it.");
  await link(join(secret, "SKILL.md"), join(folder, "SKILL.md"));
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const { skills, faults } = await readSkills(await loadProgramConfig({}, host), host);
  expect(skills).toEqual([]);
  expect(faults).toMatchObject([
    { path: join(folder, "SKILL.md"), problem: expect.stringContaining("another name of a hidden file") as unknown },
  ]);
});
