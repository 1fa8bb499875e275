// Logins in a real system keyring: see README.md.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const needed = ["dbus-run-session", "gnome-keyring-daemon"];
const missing = needed.filter((name) => spawnSync(name, ["--version"]).error !== undefined);
if (missing.length > 0) {
  console.log(`skipped: there is no ${missing.join(" and no ")} here (Debian: apt-get install --no-install-recommends gnome-keyring dbus)`);
  process.exit(0);
}

const home = mkdtempSync(join(tmpdir(), "unroll-keyring-"));
const runtime = join(home, "runtime");
mkdirSync(runtime, { mode: 0o700 });
try {
  // the empty line is the password of the keyring, which is made at its first use
  const script = `printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null && "$@"`;
  const inside = [process.execPath, "-C", "@unroll/source", join(import.meta.dirname, "checks.mjs"), home];
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime };
  const { status } = spawnSync("dbus-run-session", ["--", "sh", "-c", script, "sh", ...inside], { env, stdio: ["ignore", "inherit", "inherit"], timeout: 180_000 });
  process.exitCode = status ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
