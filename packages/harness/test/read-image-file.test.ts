import { link, mkdir, mkdtempDisposable, realpath, rename, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readImageSize } from "@unroll/compaction";
import { openPromptFiles, readImageFile } from "@unroll/harness";
import type { SandboxSettings } from "@unroll/protocol";
import sharp from "sharp";
import { expect, test } from "vitest";

const sandboxSettings: SandboxSettings = {
  mode: "read-only",
  networkAccess: false,
  writableRoots: [],
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
  git: "writable",
  denyRead: [],
  allowWeaker: false,
  limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
};
const here = { cwd: "/work", projectRoot: null, codexHome: "/home/ann/.codex", sandboxSettings };

async function makeImage(
  format: "png" | "jpeg" | "gif" | "webp",
  [width, height]: readonly [number, number],
): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
  const path = join(folder.path, `image.${format}`);
  await sharp({ create: { width, height, channels: 3, background: "teal" } }).toFile(path);
  return { path, [Symbol.asyncDispose]: () => folder.remove() };
}

test.for([
  ["png", 3000, 2000, 1152, 768],
  ["png", 2000, 3000, 768, 1152],
  ["png", 2048, 768, 2048, 768],
  ["png", 769, 769, 768, 768],
  ["png", 5000, 400, 2048, 164],
  ["png", 800, 3000, 546, 2048],
  ["png", 767, 2049, 767, 2048],
  ["png", 1, 3000, 1, 2048],
  ["png", 1200, 900, 1024, 768],
  ["jpeg", 1200, 900, 1024, 768],
  ["gif", 1200, 900, 1024, 768],
  ["webp", 1200, 900, 1024, 768],
] as const)(
  "a %s image of %i x %i pixels is sent as models see it, as %i x %i",
  async ([format, width, height, seenWidth, seenHeight]) => {
    await using image = await makeImage(format, [width, height]);
    const file = await readImageFile(image.path, here);
    const url = "dataUrl" in file ? file.dataUrl : file.error;
    const media = format === "gif" ? "png" : format;
    expect([url.split(";")[0], readImageSize(url)]).toEqual([
      `data:image/${media}`,
      { width: seenWidth, height: seenHeight },
    ]);
  },
);

/** A project with a folder `hidden`, a `$CODEX_HOME` and a neighbour; an image lies in each of them. */
async function makeProject(
  mode: SandboxSettings["mode"],
): Promise<AsyncDisposable & { readonly path: string; readonly settings: typeof here }> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
  const path = await realpath(folder.path);
  for (const place of ["project/hidden", "codex", "neighbour"]) {
    await mkdir(join(path, place), { recursive: true });
    await sharp({ create: { width: 1, height: 1, channels: 3, background: "teal" } }).toFile(
      join(path, place, "a.png"),
    );
  }
  const cwd = join(path, "project");
  return {
    path,
    settings: {
      cwd,
      projectRoot: null,
      codexHome: join(path, "codex"),
      sandboxSettings: { ...sandboxSettings, mode, denyRead: [join(cwd, "hidden")] } as never,
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

const traps = [
  { make: symlink, target: "project/hidden/a.png", reason: "leads to a hidden file", mode: "read-only" },
  { make: link, target: "project/hidden/a.png", reason: "is another name of a hidden file", mode: "workspace-write" },
  {
    make: symlink,
    target: "codex/a.png",
    reason: "leads to a file of unroll's own folder",
    mode: "danger-full-access",
  },
  { make: link, target: "codex/a.png", reason: "is another name of a hidden file", mode: "danger-full-access" },
  { make: symlink, target: "neighbour/a.png", reason: "leads out of the project", mode: "read-only" },
] as const;

test.for(traps)(
  "an image that a person or a client names is not read if its path $reason ($target, $mode)",
  async ({ make, target, reason, mode }) => {
    await using project = await makeProject(mode);
    const path = join(project.path, "project/shown.png");
    await make(join(project.path, target), path);
    const refused = await readImageFile(path, project.settings);
    expect(refused).toEqual({ error: expect.stringContaining(`${path} ${reason}`) as unknown });
  },
);

test.for(["shown/a.png", "shown"])(
  "while %s is swapped between a harmless place and a hidden one, the hidden image is never read",
  async (swapped) => {
    await using project = await makeProject("read-only");
    const { cwd } = project.settings;
    await mkdir(join(cwd, "shown"));
    const image = join(cwd, "shown/a.png");
    await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } }).toFile(image);
    const [path, spare, other] = [swapped, "spare", "other"].map((name) => join(cwd, name)) as [string, string, string];
    await symlink(join(cwd, swapped.replace("shown", "hidden")), other);
    const state = { isOver: false };
    const swap = async (): Promise<void> => {
      while (!state.isOver) {
        await rename(path, spare);
        await rename(other, path);
        await rename(path, other);
        await rename(spare, path);
      }
    };
    const swapping = swap();
    const files = await openPromptFiles(project.settings);
    const seen = new Set<number | undefined>();
    for (let count = 0; count < 300; count += 1) {
      const read = await readImageFile(image, project.settings);
      if ("dataUrl" in read) seen.add(readImageSize(read.dataUrl)?.width);
      const file = await files.read(image, 2 ** 20);
      const url = file.type === "read" ? `data:image/png;base64,${Buffer.from(file.bytes).toString("base64")}` : null;
      if (url !== null) seen.add(readImageSize(url)?.width);
    }
    state.isOver = true;
    await swapping;
    expect([...seen].filter((width) => width !== 2)).toEqual([]);
  },
);
