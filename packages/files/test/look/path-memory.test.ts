import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPathMemory, kindOf, type PathMemory, readTextIfAny, resolveIfAny, stampIfAny } from "@unroll/files";
import { expect, test } from "vitest";
import { openTemporaryFolder } from "../fixture/temporary-folder.ts";

/** A folder in which nobody of ours writes, beside one in which commands do. */
function openPlaces(): Disposable & { readonly memory: PathMemory; readonly at: (name: string) => string } {
  const folder = openTemporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  for (const name of ["outside", "outside/bin", "work", "work/bin"]) mkdirSync(at(name));
  for (const name of ["outside/bin/tool", "work/bin/tool", "work/file"]) writeFileSync(at(name), "before");
  const memory = createPathMemory();
  memory.except([at("work")]);
  return { memory, at, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const look = (path: string): readonly unknown[] => [
  kindOf(path),
  resolveIfAny(path),
  readTextIfAny(path),
  stampIfAny(path)?.text,
];

test("what is known of a path that no command can change stays known until it is forgotten", () => {
  using places = openPlaces();
  const { memory, at } = places;
  for (const name of ["outside/bin/tool", "outside/missing", "outside/missing/inner"]) {
    const before = memory.look(() => look(at(name)));
    rmSync(at(name), { recursive: true, force: true });
    mkdirSync(at(name), { recursive: true });
    expect(memory.look(() => look(at(name)))).toEqual(before);
    expect(memory.keeps(at(name))).toBe(true);
    memory.forget();
    expect(memory.look(() => look(at(name)))).toEqual(look(at(name)));
    rmSync(at(name), { recursive: true });
    memory.forget();
  }
});

const swaps: Readonly<
  Record<string, (at: (name: string) => string) => { readonly path: string; readonly swap: () => void }>
> = {
  "a file in it": (at) => ({ path: "work/file", swap: () => writeFileSync(at("work/file"), "after it") }),
  "a missing file in it": (at) => ({ path: "work/new", swap: () => writeFileSync(at("work/new"), "after") }),
  "the folder itself": (at) => ({
    path: "work",
    swap: () => (renameSync(at("work"), at("moved")), writeFileSync(at("work"), "after")),
  }),
  "a link in it that leads out": (at) => {
    symlinkSync("../outside/bin", at("work/link"));
    return { path: "work/link/tool", swap: () => (unlinkSync(at("work/link")), symlinkSync("bin", at("work/link"))) };
  },
  "a link outside that leads into it": (at) => {
    symlinkSync("../work/file", at("outside/link"));
    return { path: "outside/link", swap: () => writeFileSync(at("work/file"), "after it") };
  },
  "a link outside that leads into it to what is missing": (at) => {
    symlinkSync(at("work/new"), at("outside/link"));
    return { path: "outside/link", swap: () => writeFileSync(at("work/new"), "after") };
  },
  "a link outside that leads through it and out again": (at) => {
    symlinkSync(at("outside/bin"), at("work/hop"));
    symlinkSync("../work/hop/tool", at("outside/link"));
    return { path: "outside/link", swap: () => (unlinkSync(at("work/hop")), symlinkSync("bin", at("work/hop"))) };
  },
  "a folder that a link passes on its way up": (at) => {
    mkdirSync(at("outside/a/b"), { recursive: true });
    mkdirSync(at("work/deep"));
    symlinkSync("../work/deep/../../outside/bin", at("outside/link"));
    const swap = (): void => (
      rmSync(at("work/deep"), { recursive: true }),
      symlinkSync("../outside/a/b", at("work/deep"))
    );
    return { path: "outside/link/tool", swap };
  },
  "a file outside by a second name in it": (at) => {
    linkSync(at("outside/bin/tool"), at("work/second"));
    return { path: "outside/bin/tool", swap: () => writeFileSync(at("work/second"), "after it") };
  },
};

test.for(Object.entries(swaps))("a command that writes in its folder changes %s, and is seen", ([, set]) => {
  using places = openPlaces();
  const { memory, at } = places;
  const { path, swap } = set(at);
  const before = memory.look(() => look(at(path)));
  memory.look(() => look(at("outside/bin/tool")));
  swap();
  const after = look(at(path));
  expect(after).not.toEqual(before);
  expect(memory.look(() => look(at(path)))).toEqual(after);
  expect(memory.keeps(at(path))).toBe(false);
});

test("a folder that commands may write from now on is asked about again, and so is all while anything may change", () => {
  using places = openPlaces();
  const { memory, at } = places;
  const path = at("outside/bin/tool");
  const see = (): unknown => memory.look(() => readTextIfAny(path));
  expect(see()).toBe("before");
  writeFileSync(path, "second");
  memory.except([at("work")]);
  expect(see()).toBe("before");
  const [first, second] = [memory.suspend(), memory.suspend()];
  expect(see()).toBe("second");
  writeFileSync(path, "third");
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect([see(), memory.keeps(path)]).toEqual(["third", false]);
  second[Symbol.dispose]();
  expect(see()).toBe("third");
  writeFileSync(path, "fourth");
  expect(see()).toBe("third");
  memory.except([at("outside")]);
  expect(see()).toBe("fourth");
  writeFileSync(path, "fifth");
  expect(see()).toBe("fifth");
});
