"""Runs unroll as an agent of Harbor: harbor run --agent-import-path unroll_harbor:Unroll."""

import json
import os
import shlex

from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template

LOGS = "/logs/agent"  # Harbor copies this folder of the container to logs_dir
HOME = f"{LOGS}/unroll"
NODE = "24"
NVM = "https://raw.githubusercontent.com/nvm-sh/nvm/v0.40.3/install.sh"
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL")  # of other providers: harbor run --ae NAME=VALUE


class Unroll(BaseInstalledAgent):
    SUPPORTS_ATIF = True

    def __init__(self, *args, reasoning_effort=None, max_cost=None, **kwargs):
        super().__init__(*args, **kwargs)
        self._effort = reasoning_effort
        self._max_cost = max_cost

    @staticmethod
    def name():
        return "unroll"

    def get_version_command(self):
        return "unroll --version"

    async def install(self, environment):
        """Installs Node.js and unroll, unless the image has an unroll and no version was asked for."""
        if self._version is None:
            found = await environment.exec(command="command -v unroll")
            if found.return_code == 0:
                return
        package = shlex.quote(f"unroll-agent@{self._version or 'latest'}")
        await self.exec_as_root(
            environment,
            command="command -v curl || (apt-get update && apt-get install -y curl ca-certificates)",
        )
        await self.exec_as_root(
            environment,
            command=(
                f"mkdir -p /opt/nvm && curl -fsSL {NVM} | NVM_DIR=/opt/nvm PROFILE=/dev/null METHOD=script bash"
                f" && . /opt/nvm/nvm.sh && nvm install {NODE} && npm install -g {package}"
                ' && for name in node npm unroll; do ln -sf "$(command -v $name)" /usr/local/bin/$name; done'
            ),
            env={"NVM_DIR": "/opt/nvm"},
        )

    @with_prompt_template
    async def run(self, instruction, environment, context):
        env = {"CODEX_HOME": HOME, **{key: os.environ[key] for key in KEYS if os.environ.get(key)}}
        await self.exec_as_agent(environment, command=f"mkdir -p {HOME}", env=env)
        try:
            await self.exec_as_agent(environment, command=self._exec_command(instruction), env=env)
        finally:  # also after a failure or a timeout: the thread is saved as it grows
            export = f"unroll threads export --last --atif {LOGS}/trajectory.json"
            await environment.exec(command=export, env=env)

    def populate_context_post_run(self, context):
        path = self.logs_dir / "trajectory.json"
        if not path.exists():
            return
        total = json.loads(path.read_text())["final_metrics"]
        context.n_input_tokens = total["total_prompt_tokens"]
        context.n_cache_tokens = total["total_cached_tokens"]
        context.n_output_tokens = total["total_completion_tokens"]
        context.cost_usd = total.get("total_cost_usd")

    def _exec_command(self, instruction):
        """The container is the sandbox: it has no bubblewrap, and the task may need all of it."""
        flags = ["--json", "--skip-git-repo-check", "--sandbox", "danger-full-access"]
        if self.model_name:
            provider, slash, model = self.model_name.partition("/")
            flags += ["--model", model if slash else provider]
            if slash and provider != "openai":
                flags += ["-c", f"model_provider={json.dumps(provider)}"]
        if self._effort:
            flags += ["-c", f"model_reasoning_effort={json.dumps(self._effort)}"]
        if self._max_cost:
            flags += ["--max-cost", str(self._max_cost)]
        command = shlex.join(["unroll", "exec", *flags, "--", instruction])
        return f"{command} </dev/null | tee {LOGS}/unroll.jsonl"
