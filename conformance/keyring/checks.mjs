// The checks that run.mjs runs in a session with a keyring; the argument is its home.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";

const [home] = process.argv.slice(2);
const program = join(import.meta.dirname, "../../bin/unroll");
const [key, workKey] = ["kept-in-the-keyring", "of-the-account-work"];
let [checks, failed] = [0, 0];

await using model = await startScriptedModel({ script: { turns: Array.from({ length: 5 }, () => ({ items: [{ text: "Hello." }] })) } });
await checkStore("keyring");
await checkStore("auto");
await checkSandbox();
await checkWithoutService();
console.log(`${checks - failed} of ${checks}`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkStore(store) {
  const codexHome = makeHome(store, store);
  const run = (args, stdin) => runUnroll(args, { codexHome, stdin });
  const login = await run(["login", "--with-api-key"], key);
  check(`${store}: login keeps the key in the keyring`, login.code === 0 && login.output.includes("Stored in the system keyring."), login);
  check(`${store}: no file holds the key`, !holdsKey(codexHome) && !existsSync(join(codexHome, "auth.json")));
  const status = await run(["login", "status"]);
  check(`${store}: another process finds it, and does not show it`, status.code === 0 && status.output.includes("the system keyring") && !status.output.includes(key), status);
  const exec = await run(["exec", "--skip-git-repo-check", "Say hello"]);
  const sent = model.requests.at(-1)?.headers.authorization;
  check(`${store}: exec sends it`, exec.code === 0 && exec.output.includes("Hello.") && sent === `Bearer ${key}`, exec);
  const doctor = await run(["doctor", "--json"]);
  const auth = JSON.parse(doctor.output).checks.find(({ check: name }) => name === "auth");
  check(`${store}: doctor says where it is`, auth?.state === "ok" && auth.message.includes("the system keyring"), doctor);
  const other = await runUnroll(["login", "status"], { codexHome: makeHome(`${store}-other`, store) });
  check(`${store}: another home has another login, and that is none`, other.code === 1, other);
  await checkAccount(store, { codexHome, run });
  const logout = await run(["logout"]);
  const after = await run(["login", "status"]);
  check(`${store}: logout forgets it`, logout.code === 0 && after.code === 1, after);
}

/** A second account has its own entry; a file shows that it exists, and holds no key. */
async function checkAccount(store, { codexHome, run }) {
  const marker = join(codexHome, "auth.json.account.work.json");
  const login = await run(["login", "--with-api-key", "--as", "work"], workKey);
  check(`${store}: another account goes into the keyring, too`, login.code === 0 && login.output.includes("Stored in the system keyring."), login);
  const isPrivate = existsSync(marker) && (statSync(marker).mode & 0o777) === 0o600;
  check(`${store}: its file is for its owner alone and holds no key`, isPrivate && !holdsKey(codexHome, workKey));
  const status = await run(["login", "status"]);
  const isListed = status.output.includes("* default  API key") && status.output.includes("  work     API key");
  check(`${store}: both accounts are listed`, status.code === 0 && isListed && !status.output.includes(workKey), status);
  const exec = await run(["exec", "--skip-git-repo-check", "--account", "work", "Say hello"]);
  const sent = model.requests.at(-1)?.headers.authorization;
  check(`${store}: exec sends the key of the named account`, exec.code === 0 && sent === `Bearer ${workKey}`, exec);
  const logout = await run(["logout", "--as", "work"]);
  const [after, first] = [await run(["login", "status", "--as", "work"]), await run(["login", "status"])];
  check(`${store}: its logout forgets it, and no other`, logout.code === 0 && after.code === 1 && first.code === 0 && !existsSync(marker), after);
}

/** A command of the model asks the keyring by its socket, as a person's programs do. */
async function checkSandbox() {
  const codexHome = makeHome("sandbox", "keyring");
  const ask = ["dbus-send", "--session", "--dest=org.freedesktop.secrets", "--print-reply", "/", "org.freedesktop.DBus.Peer.Ping"];
  const outside = await runProgram(ask[0], ask.slice(1));
  check("the keyring answers a program of the person", outside.code === 0, outside);
  for (const mode of ["read-only", "workspace-write"]) {
    const inside = await runUnroll(["sandbox", "-s", mode, "--", ...ask], { codexHome });
    check(`the keyring does not answer a command in the sandbox (${mode})`, inside.code !== 0 && inside.output.includes("bus"), inside);
  }
}

/** As on a server without a desktop. */
async function checkWithoutService() {
  const nowhere = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent", XDG_RUNTIME_DIR: "/nonexistent" };
  const without = (codexHome) => (args, stdin) => runUnroll(args, { codexHome, stdin, env: nowhere });
  const keyring = await without(makeHome("none", "keyring"))(["login", "--with-api-key"], key);
  check("without a service: keyring says what to do", keyring.code !== 0 && keyring.output.includes('cli_auth_credentials_store = "file"'), keyring);
  const codexHome = makeHome("none-auto", "auto");
  const run = without(codexHome);
  const login = await run(["login", "--with-api-key"], key);
  check("without a service: auto takes the file, and says so", login.code === 0 && login.output.includes("For now, the login is stored in"), login);
  const mode = statSync(join(codexHome, "auth.json")).mode & 0o777;
  check("without a service: the file is for its owner alone", mode === 0o600, { mode: mode.toString(8) });
  const exec = await run(["exec", "--skip-git-repo-check", "Say hello"]);
  check("without a service: exec sends it", exec.code === 0 && exec.output.includes("Hello."), exec);
  const again = await runUnroll(["login", "--with-api-key"], { codexHome, stdin: key });
  check("with one again: the next login goes there, and the file is gone", again.code === 0 && !existsSync(join(codexHome, "auth.json")), again);
}

function makeHome(name, store) {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "config.toml"), `cli_auth_credentials_store = "${store}"\nopenai_base_url = "${model.url}"\nmodel = "gpt-5"\n`);
  return folder;
}

function holdsKey(folder, wanted = key) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(wanted));
}

function runUnroll(args, { codexHome, stdin, env }) {
  return runProgram(program, args, { stdin, env: { CODEX_HOME: codexHome, ...env } });
}

/** Its output of both kinds. Beside this process, which is the model's server. */
async function runProgram(file, args, { stdin = "", env = {} } = {}) {
  const child = spawn(file, args, { cwd: home, env: { ...process.env, ...env } });
  child.stdin.on("error", () => {}); // a program that reads nothing may have ended
  child.stdin.end(stdin);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  if (!args.includes("--json")) child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((settle) => child.on("close", settle));
  return { code, output };
}

function check(what, isRight, found) {
  checks += 1;
  failed += isRight ? 0 : 1;
  console.log(`${isRight ? "ok    " : "FAILED"} ${what}${isRight || found === undefined ? "" : `\n${JSON.stringify(found)}`}`);
}
