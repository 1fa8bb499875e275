import { run } from "/work/main/bench/src/apply-patch.ts";
for (const r of (await run({rounds: 5, peers: {}})).rows) console.log(r.label, r.value.toFixed(1), r.unit, r.ratio?.toFixed(2), r.target ?? "", r.ok ?? "");
