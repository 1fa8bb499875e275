// Programs that the emulators show: cat, which writes the answer, and those that stream it from a model.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const slowly = `
const text = require("node:fs").readFileSync(process.argv[1], "utf8");
let at = 0;
const timer = setInterval(() => {
  process.stdout.write(text.slice(at, (at += 40)));
  if (at >= text.length) clearInterval(timer);
}, 22);`;

/** The command lines, by name: each shows the model's answer to one message. `home`: an empty folder, `url`: the model's. */
export const programs = {
  cat({ home, markdown }) {
    const file = join(home, "answer.md");
    writeFileSync(file, markdown);
    writeFileSync(join(home, "slowly.cjs"), slowly);
    return { argv: ["sh", "-c", `'${process.execPath}' -e "$(cat slowly.cjs)" '${file}' | cat; sleep 600`], env: {} };
  },
  unroll: ({ home, url, command }) => ({ argv: [command, "begin"], env: writeCodexHome(home, url, ['preset = "openai"']) }),
  codex: ({ home, url, command }) => ({ argv: [command, "--no-alt-screen", "begin"], env: writeCodexHome(home, url) }),
  pi({ home, url, command }) {
    mkdirSync(join(home, ".pi/agent"), { recursive: true });
    const provider = { baseUrl: url, api: "openai-responses", apiKey: "none", models: [{ id: "gpt-5" }] };
    writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { local: provider } }));
    // alacritty sets HOME to the one of the account
    return { argv: ["env", `HOME=${home}`, command, "--offline", "--no-session", "--provider", "local", "--model", "gpt-5", "begin"], env: {} };
  },
};

/** The folder of settings that unroll and the Codex CLI both read. */
function writeCodexHome(home, url, provider = []) {
  const folder = join(home, ".codex");
  mkdirSync(folder, { recursive: true });
  const config = [
    'model = "gpt-5"',
    'model_provider = "local"',
    'sandbox_mode = "read-only"',
    'approval_policy = "never"',
    "[model_providers.local]",
    'name = "local"',
    `base_url = "${url}"`,
    'wire_api = "responses"',
    ...provider,
    `[projects."${home}"]`,
    'trust_level = "trusted"',
  ];
  writeFileSync(join(folder, "config.toml"), `${config.join("\n")}\n`);
  return { HOME: home, CODEX_HOME: folder };
}
