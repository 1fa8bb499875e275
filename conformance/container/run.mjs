// Builds the image of the Dockerfile without Docker, and starts unroll in it as containers would: see README.md.
// usage: node conformance/container/run.mjs [ROOT]   (after npm run pack, as root; ROOT: a Debian of debootstrap, else one is made and removed)
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const repository = dirname(dirname(import.meta.dirname));
const like = "/opt/like-docker.pl";
const user = { uid: "1000", name: "node" };
const ofImage = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
/** For npm behind a company's proxy. */
const authorities = process.env.NODE_EXTRA_CA_CERTS;

const asNode = ["setpriv", `--reuid=${user.uid}`, `--regid=${user.uid}`, "--init-groups"];
const asInDocker = ["perl", like, ...asNode];
const withoutCapabilities = (...but) => ["setpriv", ["--bounding-set=-all", ...but].join(",")];
const tryCommand = ["sandbox", "-s", "read-only", "--", "true"];
const initialize = { id: 1, method: "initialize", params: { clientInfo: { name: "t", title: "t", version: "1" } } };

/** The rows of docs/containers.md, and the service of compose.yaml. */
const starts = [
  {
    place: "namespaces allowed, own /proc",
    as: asNode,
    args: ["demo"],
    stdout: /all tests pass/,
    stderr: /^(?!.*(?:weaker|No) sandbox)/s,
  },
  { place: "namespaces allowed, Docker's /proc", as: ["perl", like, "--namespaces", ...asNode], args: tryCommand },
  {
    place: "Docker's own filter: the demo",
    as: asInDocker,
    args: ["demo"],
    stdout: /all tests pass/,
    stderr: /Commands run in the weaker sandbox/,
  },
  {
    place: "Docker's own filter: a command",
    as: asInDocker,
    args: tryCommand,
    status: 126,
    stderr: /--security-opt seccomp=unconfined --security-opt systempaths=unconfined/,
  },
  {
    place: "Docker's own filter: a command in the weaker sandbox",
    as: asInDocker,
    args: ["sandbox", "-c", "sandbox.allow_weaker=true", ...tryCommand.slice(1)],
  },
  { place: "root with --cap-drop ALL", as: withoutCapabilities(), args: tryCommand, status: 126, stderr: /setfcap/i },
  { place: "root with --cap-drop ALL --cap-add SETFCAP", as: withoutCapabilities("+setfcap"), args: tryCommand },
  { place: "--user node with --cap-drop ALL", as: [...asNode, ...withoutCapabilities().slice(1)], args: tryCommand },
  {
    place: "an app-server, as in compose.yaml",
    as: asNode,
    args: ["app-server"],
    input: `${JSON.stringify(initialize)}\n`,
    stdout: /"id":1,"result"/,
  },
];

const obstacle = findObstacle();
if (obstacle !== null) {
  skip(obstacle);
} else {
  const folder = mkdtempSync("/var/tmp/unroll-image-");
  try {
    const root = process.argv[2] ?? join(folder, "root");
    const made = existsSync(root) ? null : run("debootstrap", ["--variant=minbase", "bookworm", root]);
    if (made !== null && made.status !== 0) skip(`debootstrap failed: ${made.stdout.trim().split("\n").at(-1)}`);
    else tryIn(root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function skip(reason) {
  process.stderr.write(`skipped: the image of the Dockerfile: ${reason}\n`);
}

function tryIn(root) {
  makeBase(root);
  const image = build(root, join(repository, "Dockerfile"));
  const failed = starts.filter(({ place, ...start }) => !report(place, start, startIn(image, start)));
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function findObstacle() {
  if (process.platform !== "linux" || process.getuid() !== 0) return "it needs root on Linux";
  const missing = ["bwrap", "debootstrap"].filter((name) => run("sh", ["-c", `command -v ${name}`]).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(" and no ")} on PATH (.ci/run installs them)`;
  if (!existsSync(join(repository, "packed/unroll.tgz"))) return "there is no packed/unroll.tgz: run npm run pack first";
  const { status, stderr } = run("bwrap", ["--dev-bind", "/", "/", "true"]);
  return status === 0 ? null : `bwrap fails here: ${stderr.trim()}`;
}

/** Adds Node.js, npm and a user to Debian, as `node:24-slim` has them. */
function makeBase(root) {
  cpSync(process.execPath, join(root, "usr/local/bin/node"));
  const npm = realpathSync(finish(run("sh", ["-c", "command -v npm"]), "npm").stdout.trim()); // …/npm/bin/npm-cli.js
  cpSync(dirname(dirname(npm)), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  rmSync(join(root, "usr/local/bin/npm"), { force: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
  cpSync(join(repository, "tooling/like-docker.pl"), join(root, like));
  writeFileSync(join(root, ".dockerenv"), "");
  const add = `getent passwd ${user.name} || useradd --create-home --uid ${user.uid} --shell /bin/bash ${user.name}`;
  finish(inside({ root, env: ofImage, folder: "/" }, ["sh", "-c", add]), "useradd");
}

/** Runs the steps of the file. Returns the image with its settings. */
function build(root, file) {
  const image = { root, env: { ...ofImage }, folder: "/", entrypoint: [] };
  const text = readFileSync(file, "utf8").replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n/g, "");
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, step, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    process.stderr.write(`[image] ${line}\n`);
    take(image, step, rest);
  }
  return image;
}

function take(image, step, rest) {
  const words = (rest ?? "").split(" ");
  switch (step) {
    case "FROM":
      if (rest !== "node:24-slim") throw new Error(`FROM ${rest}: the base that is made here is node:24-slim.`);
      return;
    case "RUN": {
      const own = authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: "/opt/authorities.pem" };
      const more = authorities === undefined ? [] : ["--ro-bind", authorities, "/opt/authorities.pem"];
      finish(inside({ ...image, env: { ...image.env, ...own } }, ["sh", "-c", rest], { more }), rest);
      return;
    }
    case "COPY":
      cpSync(join(repository, words[0]), join(image.root, words[1]), { recursive: true });
      return;
    case "ENV":
      for (const word of words) image.env[word.slice(0, word.indexOf("="))] = word.slice(word.indexOf("=") + 1);
      return;
    case "USER":
      if (rest !== user.name) throw new Error(`USER ${rest}: the only user of the base is ${user.name}.`);
      image.env.HOME = `/home/${rest}`;
      return;
    case "WORKDIR":
      image.folder = rest;
      return;
    case "ENTRYPOINT":
      image.entrypoint = JSON.parse(rest);
      return;
    default:
      throw new Error(`${step}: this step is not known here.`);
  }
}

/** Runs a command as root in the image. */
function inside({ root, env, folder }, command, { more = [], ...options } = {}) {
  const places = ["--bind", root, "/", "--dev", "/dev", "--proc", "/proc", "--bind", "/sys", "/sys", ...more];
  const variables = Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]);
  const process = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-add", "ALL", "--clearenv"];
  return run("bwrap", [...places, ...process, ...variables, "--chdir", folder, "--", ...command], options);
}

/** Starts the image's program as process 1. */
function startIn(image, { as, args, input }) {
  const more = ["--as-pid-1", "--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf"];
  return inside(image, [...as, ...image.entrypoint, ...args], { more, input, timeout: 120_000 });
}

function report(place, { status = 0, stdout = /^$/, stderr = /^$/ }, ran) {
  const isAsExpected = ran.status === status && stdout.test(ran.stdout) && stderr.test(ran.stderr);
  process.stderr.write(`${isAsExpected ? "ok" : "BROKEN"}  ${place}\n`);
  if (!isAsExpected) process.stderr.write(`${ran.error ?? ""}exit code ${ran.status}\n${ran.stdout}\n${ran.stderr}\n`);
  return isAsExpected;
}

function run(file, args, options = {}) {
  return spawnSync(file, args, { encoding: "utf8", maxBuffer: 1 << 26, ...options });
}

function finish(ran, what) {
  if (ran.status === 0) return ran;
  throw new Error(`${what} failed (${ran.error ?? ran.status}):\n${ran.stdout}\n${ran.stderr}`);
}
