import { spawnSync } from "node:child_process";

const programs = { bubblewrap: "bwrap", git: "git", tmux: "tmux" };
const uses = {
  bubblewrap: "commands run in its sandbox",
  git: "the agent and the tests use it",
  tmux: "the terminal tests use it",
};

/** As root with apt, installs the Debian packages that are missing; elsewhere names them and continues. */
export function addSystemPackages(names, environment) {
  if (process.platform !== "linux") return;
  const missing = names.filter((name) => !isOnPath(programs[name], environment));
  if (missing.length === 0) return;
  const mayInstall = process.getuid() === 0 && isOnPath("apt-get", environment);
  if (mayInstall) {
    say(`installing the system package${missing.length > 1 ? "s" : ""} ${missing.join(", ")} with apt-get`);
    if (aptInstall(missing, environment)) return;
  }
  for (const name of missing) {
    say(`${name} is not installed (${uses[name]}): apt-get, apk or dnf install it. Going on without it.`);
  }
}

function aptInstall(names, environment) {
  const env = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  const install = () =>
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], {
      env,
      stdio: ["ignore", "ignore", "ignore"],
    }).status === 0;
  if (install()) return true;
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: ["ignore", "ignore", "ignore"] });
  return install();
}

function isOnPath(program, env) {
  return spawnSync("sh", ["-c", 'command -v "$0"', program], { env, stdio: "ignore" }).status === 0;
}

function say(text) {
  process.stderr.write(`[bootstrap] ${text}\n`);
}
