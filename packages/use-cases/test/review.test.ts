import { execFileSync } from "node:child_process";
import { chown, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { loadProgramConfig, createHost } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { openThread } from "@unroll/harness";
import {
  listReviewBranches,
  listReviewCommits,
  openReview,
  parseReview,
  prepareReview,
  startReview,
} from "@unroll/use-cases/review";
import { forEach } from "@unroll/flow";
import { expect, test } from "vitest";

test("a review is against any branch but the one that is checked out, or of a commit of that", async () => {
  await using folder = await mkdtempDisposable(`${tmpdir()}/unroll-review-test-`);
  const env = { PATH: process.env["PATH"], HOME: folder.path };
  const place = { cwd: folder.path, env, signal: new AbortController().signal };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder.path,
      env,
      encoding: "utf8",
    });
  expect(await listReviewBranches(place)).toEqual([]);
  git("init", "-q", "-b", "main");
  expect(await listReviewCommits(place)).toEqual([]);
  for (const subject of ["first", "second"]) git("commit", "-q", "--allow-empty", "-m", subject);
  git("branch", "feat/one+two");
  git("branch", "$(touch${IFS}x)"); // git takes it; a shell would, too
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  // what the repository's own settings would run for signatures is not run
  git("config", "log.showSignature", "true");
  git("config", "gpg.program", "/sys/nonexistent");
  const withoutTime = (list: Awaited<ReturnType<typeof listReviewCommits>>): readonly string[] =>
    list.map(({ name, description }) => `${name} ${description.replace(/\d+ seconds? ago|\d+ minutes? ago/, "now")}`);
  expect(withoutTime(await listReviewBranches(place)).toSorted()).toEqual(["feat/one+two now", "origin/main now"]);
  const ids = git("rev-list", "--abbrev-commit", "HEAD").trim().split("\n");
  expect(withoutTime(await listReviewCommits(place))).toEqual([`${ids[0]} second, now`, `${ids[1]} first, now`]);
});

const finding = { title: "It divides by 0", body: "With n = 0.", priority: 1, file: "a.ts", line: 3 };
const urgent = { ...finding, title: "It loses data", priority: 0 };
const answer = JSON.stringify({ findings: [finding, urgent], summary: "Not yet." });

/** `config`: further keys. */
async function openPlace(config: string, answers: readonly string[]) {
  const home = await openModelHome({ script: { turns: answers.map((text) => ({ items: [{ text }] })) } }, config);
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  return { ...home, host, config: await loadProgramConfig({}, host) };
}

test("a review runs in a thread of its own that only reads, and its findings come by priority", async () => {
  await using place = await openPlace('sandbox_mode = "workspace-write"', [answer]);
  const { signal } = new AbortController();
  const opened = await openReview({ type: "uncommitted" }, { ...place, signal });
  if (opened.type === "refused") throw new Error(opened.message);
  await using review = opened;
  const outcome = await forEach(review.run(signal), () => {});
  expect(parseReview(outcome.type === "completed" ? (outcome.finalMessage ?? "") : "")).toEqual({
    findings: [urgent, finding],
    summary: "Not yet.",
  });
  const [request] = place.model.requests;
  expect(JSON.stringify(request?.body)).toMatch(/# Sandbox: read-only[^]*# Approvals: never/);
  expect(request?.body).toMatchObject({ text: { format: { type: "json_schema" } } });
});

test("a branch that only origin has is reviewed as that, one that git does not know is not, and without a repository none is", async () => {
  await using place = await openPlace("", []);
  const where = { cwd: place.work, env: place.host.env };
  const target = { type: "branch", branch: "nowhere" } as const;
  const message = `${place.work} is not in a git repository.`;
  expect(await prepareReview(target, where)).toEqual({ type: "refused", message });
  expect(await prepareReview({ type: "commit", commit: "HEAD" }, where)).toEqual({ type: "refused", message });
  execFileSync("git", ["init", "-q"], { cwd: place.work });
  expect(await prepareReview(target, where)).toEqual({ type: "refused", message: "There is no branch nowhere here." });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: place.work, encoding: "utf8" }).trim();
  const commit = git("-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", "-m", "first", git("write-tree"));
  git("update-ref", "refs/remotes/origin/nowhere", commit);
  expect(await prepareReview(target, where)).toMatchObject({
    type: "ready",
    input: expect.stringContaining("git merge-base HEAD origin/nowhere") as string,
  });
  expect(await prepareReview({ type: "branch", branch: "elsewhere" }, where)).toEqual({
    type: "refused",
    message: "There is no branch elsewhere here.",
  });
  expect(await prepareReview({ type: "custom", text: "the parser" }, { ...where, focus: "loops" })).toMatchObject({
    input: expect.stringMatching(/the parser[^]*loops/),
  });
});

test("a repository that git cannot read is refused with git's reason, not as a missing one", async () => {
  await using place = await openPlace("", []);
  const where = { cwd: place.work, env: place.host.env };
  execFileSync("git", ["init", "-q"], { cwd: place.work });
  await writeFile(join(place.work, ".git/config"), "[broken\n");
  const message = `git failed in ${place.work}: bad config line 1 in file .git/config.`;
  expect(await prepareReview({ type: "branch", branch: "main" }, where)).toEqual({ type: "refused", message });
});

test.skipIf(userInfo().uid !== 0)(
  "in a repository of another owner, a review of what git must show is refused with the remedy (needs root, to give it away)",
  async () => {
    await using place = await openPlace("", []);
    execFileSync("git", ["init", "-q"], { cwd: place.work });
    await chown(place.work, 1234, 1234);
    await chown(join(place.work, ".git"), 1234, 1234);
    const where = { cwd: place.work, env: place.host.env };
    const message = `git does not use the repository of ${place.work}, because another user owns it. If you trust it: git config --global --add safe.directory ${place.work}`;
    const refused = { type: "refused", message };
    expect(await prepareReview({ type: "uncommitted" }, where)).toEqual(refused);
    expect(await prepareReview({ type: "branch", branch: "main" }, where)).toEqual(refused);
    expect(await prepareReview({ type: "custom", text: "the parser" }, where)).toMatchObject({ type: "ready" });
  },
);

test("a review in an open thread asks nothing, also under a granular policy, and the thread gets its settings back", async () => {
  await using place = await openPlace("approval_policy = { granular = { mcp_elicitations = true } }", [answer]);
  await using thread = await openThread({ host: place.host, config: place.config, ephemeral: true });
  const { approvalPolicy, approvalQuestions, sandboxSettings } = thread.config;
  const before = { approvalPolicy, approvalQuestions, sandboxSettings };
  expect(before.approvalQuestions).toEqual({ rules: false, mcp: true });
  const front = {
    get config() {
      return thread.config;
    },
    change: async (change: Parameters<typeof thread.change>[0]) => void thread.change(change),
    async run(input: string, { change, ...options }: { readonly change: Parameters<typeof thread.change>[0] }) {
      thread.change(change);
      return { ended: forEach(thread.run(input, options), () => {}) };
    },
  };
  const prepared = await prepareReview({ type: "uncommitted" }, { cwd: place.work, env: place.host.env });
  if (prepared.type === "refused") throw new Error(prepared.message);
  const turn = await startReview(front, prepared);
  expect(thread.config).toMatchObject({ approvalPolicy: "never", approvalQuestions: null });
  await turn.ended;
  expect(thread.config).toMatchObject(before);
});

test("what can be reviewed is asked of the folder's repository, also where a hook of another one started the program", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-review-test-"));
  const [here, there] = ["here", "there"].map((name) => join(folder.path, name));
  for (const name of ["here", "there"]) {
    const cwd = join(folder.path, name);
    await mkdir(cwd);
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
    git("init", "-q", "-b", name);
    git("commit", "-q", "--allow-empty", "-m", name);
    git("branch", `other-of-${name}`);
  }
  const env = { PATH: process.env["PATH"], GIT_DIR: join(there ?? "", ".git"), GIT_WORK_TREE: there };
  const place = { cwd: here ?? "", env };
  expect((await listReviewBranches(place)).map(({ name }) => name)).toEqual(["other-of-here"]);
  expect((await listReviewCommits(place)).map(({ description }) => description.replace(/,.*/, ""))).toEqual(["here"]);
  const targets = ["here", "there"].map((branch) => ({ type: "branch", branch }) as const);
  expect(await Promise.all(targets.map((target) => prepareReview(target, place)))).toMatchObject([
    { type: "ready" },
    { type: "refused", message: "There is no branch there here." },
  ]);
});
