"""Runs the adapter once without Harbor, and prints what Harbor would record as JSON.

The fakes have what Harbor gives an agent: `BaseInstalledAgent` with `exec_as_agent` and `exec_as_root`, an
environment whose commands run here instead of in a container, and a context. LOGS_DIR stands for /logs/agent.
"""

import asyncio
import json
import os
import sys
import types
from pathlib import Path

logs = Path(os.environ["LOGS_DIR"])


class ExecResult:
    def __init__(self, return_code, stdout, stderr):
        self.return_code, self.stdout, self.stderr = return_code, stdout, stderr


class Environment:
    commands = []

    async def exec(self, command, user=None, env=None, cwd=None, timeout_sec=None):
        self.commands.append(command)
        here = lambda text: text.replace("/logs/agent", str(logs))
        own = {name: here(value) for name, value in (env or {}).items()}
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", here(command), env={**os.environ, **own}, stdout=-1, stderr=-1, stdin=asyncio.subprocess.PIPE
        )
        stdout, stderr = await process.communicate()
        return ExecResult(process.returncode, stdout.decode(), stderr.decode())


class BaseInstalledAgent:
    def __init__(self, logs_dir, version=None, model_name=None, **_rest):
        self.logs_dir, self.model_name, self._version = logs_dir, model_name, version

    async def _exec(self, environment, command, env=None, **rest):
        result = await environment.exec(command=f"set -o pipefail; {command}", env=env, **rest)
        if result.return_code != 0:
            raise RuntimeError(f"Command failed (exit {result.return_code}): {result.stdout}{result.stderr}")
        return result

    async def exec_as_agent(self, environment, command, **rest):
        return await self._exec(environment, command, **rest)

    async def exec_as_root(self, environment, command, **rest):
        return await self._exec(environment, command, user="root", **rest)


def fake_harbor():
    base = types.ModuleType("harbor.agents.installed.base")
    base.BaseInstalledAgent = BaseInstalledAgent
    base.with_prompt_template = lambda run: run
    for name in ("harbor", "harbor.agents", "harbor.agents.installed"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[base.__name__] = base


async def main():
    fake_harbor()
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from unroll_harbor import Unroll

    kwargs = json.loads(os.environ["AGENT_KWARGS"])
    agent, environment, context = Unroll(logs_dir=logs, **kwargs), Environment(), types.SimpleNamespace()
    await agent.install(environment)
    error = None
    try:
        await agent.run(sys.argv[1], environment, context)
    except RuntimeError as failure:
        error = str(failure)
    agent.populate_context_post_run(context)
    print(json.dumps({"name": agent.name(), "context": vars(context), "commands": environment.commands, "error": error}))


asyncio.run(main())
