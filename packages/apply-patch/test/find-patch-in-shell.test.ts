import { findPatchInArguments, findPatchInShell } from "@unroll/apply-patch";
import { expect, test } from "vitest";

const patch = "*** Begin Patch\n*** Add File: a\n+$HOME `x`\n*** End Patch";

test.for([
  [`apply_patch <<'EOF'\n${patch}\nEOF`, { patch }],
  [`apply_patch <<EOF\n${patch}\nEOF\n`, { patch }],
  [`applypatch << "PATCH"\n${patch}\nPATCH\n\n`, { patch }],
  [`\n  cd src && apply_patch <<'EOF'\n${patch}\nEOF`, { patch, cwd: "src" }],
  [`cd 'my folder' && apply_patch <<'EOF'\n${patch}\nEOF`, { patch, cwd: "my folder" }],
  [`cd "my folder"&&apply_patch<<'EOF'\r\n${patch.replaceAll("\n", "\r\n")}\r\nEOF\r\n`, { patch, cwd: "my folder" }],
] as const)("a patch in a shell script is found: %j", ([script, found]) => {
  expect(findPatchInShell(script)).toEqual(found);
});

test.for([
  "",
  "ls",
  `apply_patch <<'EOF'\n${patch}`,
  `apply_patch <<'EOF'\n${patch}\nEOF\nrm -rf build`,
  `apply_patch <<'EOF' && make\n${patch}\nEOF`,
  `apply_patch <<'EOF' > log\n${patch}\nEOF`,
  `apply_patch <<-EOF\n${patch}\nEOF`,
  `apply_patch --check <<EOF\n${patch}\nEOF`,
  `make && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd src; apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd a && cd b && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd "$HOME" && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd - && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd ~/src && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cd a b && apply_patch <<'EOF'\n${patch}\nEOF`,
  `cat <<'EOF'\n${patch}\nEOF`,
  `apply_patch <<'EOF"\n${patch}\nEOF`,
])("any other script is left to the shell: %j", (script) => {
  expect(findPatchInShell(script)).toBeNull();
});

test("an argument list is looked through the same way", () => {
  const script = `cd src && apply_patch <<'EOF'\n${patch}\nEOF`;
  expect([
    findPatchInArguments(["apply_patch", patch]),
    findPatchInArguments(["bash", "-lc", script]),
    findPatchInArguments(["/bin/zsh", "-c", script]),
    findPatchInArguments(["apply_patch"]),
    findPatchInArguments(["apply_patch", patch, "more"]),
    findPatchInArguments(["bash", "-x", script]),
    findPatchInArguments(["python", "-c", script]),
    findPatchInArguments([]),
  ]).toEqual([{ patch }, { patch, cwd: "src" }, { patch, cwd: "src" }, null, null, null, null, null]);
});
