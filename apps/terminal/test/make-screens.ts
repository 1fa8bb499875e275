// Writes docs/screens/*.txt: the real program on the demo model, on an emulated terminal, as a person sees it.
// usage: node --conditions=@unroll/source apps/terminal/test/make-screens.ts
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawMotion, record } from "./draw-motion.ts";
import { drawScreen } from "./draw-screen.ts";
import { keys, openTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "docs/screens");
const size = { columns: 100, rows: 40 };
const ready = "unroll-demo";

type Seat = ReturnType<TerminalWorld["start"]>;

/** Replaces values that differ from run to run with fixed ones. */
function settle(rows: readonly string[], world: TerminalWorld): string {
  return `${settleText(rows.map((row) => row.trimEnd()).join("\n"), world).trimEnd()}\n`;
}

function settleText(text: string, world: TerminalWorld): string {
  return text
    .replaceAll(world.work, "/home/ada/shop")
    .replaceAll(world.home, "/home/ada")
    .replaceAll(/\b\d+(?:\.\d)? s$/gm, "0.2 s")
    .replaceAll(/\d+\.\d s\b/g, "0.2 s")
    .replaceAll(/duration_ms [\d.]+/g, "duration_ms 102.3")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "01a20114-2a7e-7660-87d8-3dbce3ea9381");
}

interface Kept {
  readonly seat: Seat;
  readonly world: TerminalWorld;
  /** The start of the first row that is kept. */
  readonly first?: string;
}

/** All output, from the first line of the thread on. */
async function keep(name: string, { seat, world, first = "›" }: Kept): Promise<void> {
  const rows = [...seat.scrolled(), ...seat.screen()];
  const from = Math.max(
    0,
    rows.findIndex((row) => row.startsWith(first)),
  );
  await writeFile(join(folder, `${name}.txt`), settle(rows.slice(from), world));
}

async function openDemo(config: string): Promise<TerminalWorld> {
  const world = await openTerminalWorld({ isBare: true, config, env: { COLORTERM: "truecolor" } });
  await cp(join(root, "examples/sample-project"), world.work, { recursive: true });
  return world;
}

async function begin(world: TerminalWorld): Promise<Seat> {
  const seat = world.start({}, size);
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("4");
  await seat.shows(ready);
  return seat;
}

await mkdir(folder, { recursive: true });

{
  await using world = await openTerminalWorld({ isBare: true });
  const seat = world.start({}, { columns: 80, rows: 12 });
  await seat.shows("Which one do you want to use?");
  await keep("first-run", { seat, world, first: "No model" });
}
{
  await using world = await openDemo('approval_policy = "never"\nsandbox_mode = "workspace-write"');
  const seat = await begin(world);
  seat.type(`fix the failing test${keys.enter}`);
  await seat.shows("tokens:");
  await keep("task", { seat, world });
  const rows = [...seat.scrolled(), ...seat.screen()];
  const from = rows.findIndex((row) => row.startsWith("Repairing src/split.js"));
  const to = rows.findIndex((row) => row.startsWith("The patch is in")) + 1;
  await writeFile(join(folder, "patch.svg"), drawScreen(seat.emulator, { from, to }));
}
{
  await using world = await openDemo('approval_policy = "untrusted"\nsandbox_mode = "workspace-write"');
  const seat = await begin(world);
  seat.type(`run: npm publish${keys.enter}`);
  await seat.shows("Run this command?");
  await keep("approval", { seat, world });
  await seat.pass(1000);
  seat.type("n");
  await seat.shows("tokens:");
}
{
  await using world = await openDemo('approval_policy = "never"\nsandbox_mode = "workspace-write"');
  const seat = await begin(world);
  seat.type(`show src/split.js${keys.enter}`);
  await seat.shows("tokens:");
  seat.type(`/context${keys.enter}`);
  await seat.shows("free");
  await keep("context", { seat, world });
}
{
  await using world = await openDemo('approval_policy = "never"\nsandbox_mode = "workspace-write"');
  const seat = await begin(world);
  seat.type("/co");
  await seat.shows("/config");
  await keep("commands", { seat, world });
}
{
  await using world = await openDemo('approval_policy = "untrusted"\nsandbox_mode = "workspace-write"');
  const seat = world.start({}, { columns: 104, rows: 25 });
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("4");
  await seat.shows(ready);
  const recording = record(seat.emulator);
  for (const key of "fix the failing test") {
    seat.type(key);
    await seat.pass(1000);
  }
  seat.type(keys.enter);
  await seat.shows("Run this command?");
  await seat.pass(1000);
  recording.hold();
  seat.type("s");
  await seat.shows("Change these files?");
  await seat.pass(1000);
  recording.hold();
  seat.type("y");
  await seat.shows("tokens:");
  await seat.pass(1000);
  recording.hold();
  await writeFile(
    join(folder, "demo.svg"),
    drawMotion(recording, (text) => settleText(text, world)),
  );
}
process.exit(0);
