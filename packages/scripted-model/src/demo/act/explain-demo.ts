import type { TurnItem } from "../../script/turn.ts";

/** Says what the demo model is, what it can do, and how to get a real one. */
export function explainDemo(): readonly TurnItem[] {
  return [
    {
      text: `I am unroll's built-in demo model: a script that answers in place of a model. I need no network and no key, and I do not understand language; I know these requests:

- \`fix the failing test\` (in the sample project)
- \`run: <command>\`
- \`show <file>\`
- \`make a plan for <something>\`

For a real model, set \`OPENAI_API_KEY\` and start again. \`OPENAI_BASE_URL\` points to another server that speaks the Responses API. For anything else add a provider to \`config.toml\` in \`$CODEX_HOME\` (\`~/.codex\` when unset):

\`\`\`toml
model = "its-model"
model_provider = "mine"

[model_providers.mine]
name = "Mine"
base_url = "https://models.example/v1"
env_key = "MINE_API_KEY"
\`\`\``,
    },
  ];
}
