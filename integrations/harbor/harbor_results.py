"""Prints the trials of a Harbor job as lines for unroll eval compare: harbor_results.py jobs/NAME > a.jsonl"""

import json
import sys
from datetime import datetime
from pathlib import Path


def to_line(trial):
    agent, verifier = trial.get("agent_result") or {}, trial.get("verifier_result") or {}
    usage = {
        "input_tokens": agent.get("n_input_tokens"),
        "cached_input_tokens": agent.get("n_cache_tokens") or 0,
        "output_tokens": agent.get("n_output_tokens"),
    }
    is_counted = usage["input_tokens"] is not None and usage["output_tokens"] is not None
    return {
        "id": trial["task_name"],
        "status": "failed" if trial.get("exception_info") else "completed",
        "solved": (verifier.get("rewards") or {}).get("reward") == 1,
        "cost": agent.get("cost_usd"),
        "duration_ms": measure(trial.get("agent_execution") or {}),
        "usage": usage if is_counted else None,
    }


def measure(timing):
    if not timing.get("started_at") or not timing.get("finished_at"):
        return None
    start, end = (datetime.fromisoformat(timing[name].replace("Z", "+00:00")) for name in ("started_at", "finished_at"))
    return round((end - start).total_seconds() * 1000)


def main(job):
    lines = {}
    for file in sorted(Path(job).glob("*/result.json")):
        line = to_line(json.loads(file.read_text()))
        if line["id"] in lines:
            sys.exit(f"{file}: the job has several trials of {line['id']}. Compare jobs with one attempt a task.")
        lines[line["id"]] = line
    if not lines:
        sys.exit(f"{job} has no trials: name the folder of a job, which has TRIAL/result.json.")
    for line in lines.values():
        print(json.dumps(line))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
