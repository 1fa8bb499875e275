import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `drivers`: it names filters and diff drivers too, and holds a submodule; `settings`: all but these. */
type Hostility = "drivers" | "settings";

/** A repository whose every setting that may name a program names one that leaves a file behind. */
export interface HostileRepository extends Disposable {
  readonly folder: string;
  /** A folder below with the files of a bare repository among those of the outer one. */
  readonly embedded: string;
  /** Runs a command line in a folder; gives its output and the names of the attacker's programs that it ran. */
  run(argv: readonly string[], folder: string, environment: Readonly<Record<string, string>>): Run;
}

interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly ran: readonly string[];
}

const hooks = ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"];

/** Settings that may name a program, and what makes git look at them. `%` is a program of its own for each. */
const settings: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", "%"],
  ["core.pager", "%"],
  ["core.editor", "%"],
  ["core.askPass", "%"],
  ["core.sshCommand", "%"],
  ["core.gitProxy", "%"],
  ["core.alternateRefsCommand", "%"],
  ["credential.helper", "!%"],
  ["diff.external", "%"],
  ["diff.evil.command", "%"],
  ["diff.evil.textconv", "%"],
  ["diff.submodule", "diff"],
  ["filter.evil.clean", "%"],
  ["filter.evil.smudge", "%"],
  ["filter.evil.required", "true"],
  ["merge.evil.driver", "%"],
  ["log.diffMerges", "remerge"],
  ["gpg.program", "%"],
  ["gpg.openpgp.program", "%"],
  ["gpg.x509.program", "%"],
  ["gpg.ssh.program", "%"],
  ["gpg.ssh.defaultKeyCommand", "%"],
  ["gpg.ssh.allowedSignersFile", "/dev/null"],
  ["log.showSignature", "true"],
  ["format.pretty", "format:%G? %h %s"],
  ["pretty.evil", "format:%G? %GS"],
  ["stash.showPatch", "true"],
  ["status.submoduleSummary", "true"],
  ["submodule.recurse", "true"],
  ["interactive.diffFilter", "%"],
  ["sequence.editor", "%"],
  ["uploadpack.packObjectsHook", "%"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ["protocol.file.allow", "always"],
  ["remote.origin.uploadpack", "%"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.partialclonefilter", "blob:none"],
  ["extensions.partialClone", "origin"],
  ["hook.evil.command", "%"],
  ["hook.evil.event", "post-index-change"],
  ...["log", "show", "diff", "status", "branch", "tag", "grep", "blame", "config", "stash", "reflog"].flatMap(
    (name) => [[`pager.${name}`, "%"] as const, [`alias.${name}`, "!%"] as const],
  ),
];

export function createHostileRepository(hostility: Hostility): HostileRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "unroll-hostile-git-")));
  const [folder, canaries, programs] = [join(root, "work"), join(root, "canaries"), join(root, "programs")];
  for (const made of [folder, canaries, programs, join(root, "home")]) mkdirSync(made);
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(root, "home"),
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };

  function git(cwd: string, ...argv: readonly string[]): string {
    const run = spawnSync("git", argv, { cwd, env: base, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`git ${argv.join(" ")}: ${run.stderr}`);
    return run.stdout.trim();
  }

  function writeProgram(name: string): string {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\n: > '${join(canaries, name)}'\ncat 2>/dev/null\nexit 0\n`);
    chmodSync(path, 0o755);
    return path;
  }

  function poison(gitFolder: string): void {
    const tag = gitFolder.slice(root.length).replaceAll(/[^a-z]+/g, "-");
    const named = settings.filter(([key]) => hostility === "drivers" || !/^(?:filter|diff|hook)\./.test(key));
    const lines = named.map(([key, value]) => {
      const isProgram = value === "%" || value === "!%";
      return toSetting(key, isProgram ? value.replace("%", writeProgram(`${key}${tag}`)) : value);
    });
    const remote = toSetting("remote.origin.url", `ext::${writeProgram(`remote${tag}`)} %S`);
    appendFileSync(join(gitFolder, "config"), [...lines, remote, ""].join("\n"));
    for (const hook of hooks) {
      mkdirSync(join(gitFolder, "hooks"), { recursive: true });
      writeFileSync(join(gitFolder, "hooks", hook), `#!/bin/sh\n: > '${join(canaries, `hook-${hook}${tag}`)}'\n`);
      chmodSync(join(gitFolder, "hooks", hook), 0o755);
    }
    mkdirSync(join(gitFolder, "info"), { recursive: true });
    writeFileSync(join(gitFolder, "info", "attributes"), "* filter=evil diff=evil merge=evil\n");
  }

  fill(folder, git, hostility);
  const embedded = join(folder, "vendor", "data");
  git(folder, "clone", "-q", "--bare", ".", embedded);
  poison(embedded);
  if (hostility === "drivers") poison(join(folder, ".git", "modules", "sub"));
  poison(join(folder, ".git"));
  writeFileSync(join(folder, "a.txt"), "one\nthree\n");
  // A blob that is gone, as in a partial clone: reading it asks the remote.
  const gone = git(folder, "rev-parse", "gone:gone.txt");
  rmSync(join(folder, ".git", "objects", gone.slice(0, 2), gone.slice(2)));

  return {
    folder,
    embedded,
    run(argv, cwd, environment) {
      const [program = "", ...rest] = argv;
      const done = spawnSync(program, rest, {
        cwd,
        env: { ...base, ...environment },
        input: "",
        encoding: "utf8",
        timeout: 250_000,
      });
      const ran = readdirSync(canaries).toSorted();
      for (const name of ran) rmSync(join(canaries, name));
      return { status: done.status, output: done.stdout, ran };
    },
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** `diff.evil.command` is `command` in the section `[diff "evil"]`. */
function toSetting(key: string, value: string): string {
  const [section = "", ...rest] = key.split(".");
  const name = rest.at(-1) ?? "";
  const subsection = rest.length > 1 ? ` "${rest.slice(0, -1).join(".")}"` : "";
  return `[${section}${subsection}]\n\t${name} = "${value}"`;
}

type Git = (cwd: string, ...argv: readonly string[]) => string;

/** Commits, a signed one, a tag, a stash, a submodule, a merge. */
function fill(folder: string, git: Git, hostility: Hostility): void {
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  writeFileSync(join(folder, ".gitattributes"), "* diff=evil filter=evil\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  if (hostility === "drivers") addSubmodule(folder, git);
  writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
  git(folder, "commit", "-qam", "second");
  git(folder, "checkout", "-q", "-b", "side", "HEAD~1");
  writeFileSync(join(folder, "a.txt"), "one\nside\n");
  git(folder, "commit", "-qam", "side");
  git(folder, "checkout", "-q", "main");
  git(folder, "merge", "-q", "-s", "ours", "-m", "merge", "side");
  git(folder, "checkout", "-q", "-b", "gone");
  writeFileSync(join(folder, "gone.txt"), "gone\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "gone");
  git(folder, "checkout", "-q", "main");
  sign(folder, git);
  git(folder, "tag", "-a", "v1", "-m", "v1");
  writeFileSync(join(folder, "a.txt"), "one\nstashed\n");
  git(folder, "stash", "-q");
  if (hostility === "drivers") writeFileSync(join(folder, "sub", "s.txt"), "changed\n");
}

function addSubmodule(folder: string, git: Git): void {
  const sub = `${folder}-sub`;
  mkdirSync(sub);
  git(sub, "init", "-q", "-b", "main");
  writeFileSync(join(sub, "s.txt"), "s\n");
  git(sub, "add", ".");
  git(sub, "commit", "-qm", "sub");
  git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "sub");
}

/** A commit that says it is signed: git asks gpg what it thinks of it. */
function sign(folder: string, git: Git): void {
  const text = git(folder, "cat-file", "commit", "HEAD");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----";
  const signed = `${text.replace("\n\n", `\n${signature}\n\n`)}\n`;
  const file = join(folder, ".git", "signed");
  writeFileSync(file, signed);
  const id = git(folder, "hash-object", "-t", "commit", "-w", file);
  git(folder, "update-ref", "refs/heads/main", id);
}
