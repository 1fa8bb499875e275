import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../structure/parse-tables.ts";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const files = repository.list(".github/workflows/*.yml");
const workflows = files.map((file) => ({ file, text: repository.read(file) }));
const steps = workflows.flatMap(({ text }) => [...text.matchAll(/^ +- run: (.*)$/gm)].map(([, step = ""]) => step));

test("CI runs .ci/run on push and on pull requests", () => {
  const text = repository.read(".github/workflows/ci.yml");
  expect(text).toMatch(/^on:\n {2}push:\n {4}branches: \[main\]\n {2}pull_request:$/m);
  expect(text).toMatch(/^ +- run: .*\.ci\/run$/m);
  expect(repository.has(".ci/run")).toBe(true);
});

test("each command of a workflow exists in this repository", () => {
  const { scripts = {} } = parseManifest(repository.read("package.json"));
  const bootstrap = repository.read("tooling/bootstrap/tasks.mjs");
  const named = steps.flatMap((step) => {
    const [, task, script = ""] = /node tooling\/bootstrap\.mjs (\w+)(?: ([\w:]+))?/.exec(step) ?? [];
    if (task === "pnpm") return [{ step, exists: script in scripts }];
    if (task !== undefined) return [{ step, exists: new RegExp(`^ {2}(async )?${task}\\(`, "m").test(bootstrap) }];
    const [, own] = /^npm (\w+)$/.exec(step) ?? [];
    return own === undefined ? [] : [{ step, exists: own in scripts }];
  });
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(named.filter(({ exists }) => !exists)).toEqual([]);
});

test("workflows read no secret, take only actions of GitHub, and may write nothing but the identity of the release", () => {
  const judged = workflows.map(({ file, text }) => ({
    file,
    isBarred: /secrets\.|pull_request_target|write-all/.test(text),
    readsByDefault: /^permissions:\n {2}contents: read\n\n/m.test(text),
    foreign: [...text.matchAll(/uses: (\S+)/g)].filter(([, action = ""]) => !/^actions\/[\w-]+@v\d+$/.test(action)),
    written: [...text.matchAll(/^ *([\w-]+): write\b/gm)].map(([, permission]) => permission),
  }));
  const good = { isBarred: false, readsByDefault: true, foreign: [] };
  expect(judged).toEqual([
    { file: ".github/workflows/ci.yml", ...good, written: [] },
    { file: ".github/workflows/release.yml", ...good, written: ["id-token"] },
  ]);
});

test("the release publishes with provenance", () => {
  expect(steps.at(-1)).toContain('bootstrap.mjs publish "$GITHUB_REF_NAME"');
  expect(repository.read("tooling/release/publish.mjs")).toContain('"--provenance"');
});

test("CI measures each commit on main, and keeps the run behind those before it with their picture", () => {
  const text = repository.read(".github/workflows/ci.yml");
  const [, job = ""] = text.split(/^ {2}bench:$/m);
  const download = job.indexOf("gh run download");
  const measured = job.indexOf('--series "$PWD/bench/results/series.jsonl"');
  const drawn = job.indexOf('--draw "$PWD/bench/results/series.jsonl"');
  expect([download > 0, measured > download, drawn > measured]).toEqual([true, true, true]);
  expect(job).toMatch(
    /upload-artifact@v\d+\n(?: .*\n)*? +bench\/results\/series\.jsonl\n +bench\/results\/series\.svg\n/,
  );
  expect(job).toContain("if: github.event_name == 'push'");
});
