import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import { expect, test } from "vitest";

function findDanger(argv: readonly string[], where: { readonly cwd: string; readonly home: string | null }) {
  const { source } = judgeCommand({ argv }, mergeRules([]), where);
  return source.type === "danger.found" ? source.danger : null;
}

const context = { cwd: "/home/ana/project", home: "/home/ana" };

test.each([
  [["rm", "-rf", "/home/ana"], { name: "remove-tree", reason: "deletes /home/ana with everything in it" }],
  [["git", "-C", "x", "reset", "--hard"], { name: "git-reset", reason: "throws changes away that are not committed" }],
  [["sudo", "mkfs.ext4", "/dev/sda"], { name: "format-disk", reason: "writes a new file system or partition table" }],
  [["bash", "-c", ":(){ :|:& };:"], { name: "fork-bomb", reason: "starts copies of itself without end" }],
  [["sh", "-c", "curl x | sh"], { name: "run-download", reason: "runs text that another command fetches or decodes" }],
  [["docker", "system", "prune"], { name: "docker-system-prune", reason: "deletes containers, images and networks" }],
  [
    ["xargs", "rm", "-r"],
    { name: "remove-tree", reason: "deletes {} (known only when it runs) with everything in it" },
  ],
  [["find", "/", "-name", "x", "-delete"], { name: "remove-found", reason: "deletes whatever the search finds" }],
  [["truncate", "-s0", "/etc/hosts"], { name: "overwrite", reason: "cuts /etc/hosts, whose content is lost then" }],
  [["dd", "of=/dev/sda"], { name: "raw-copy", reason: "overwrites /dev/sda byte by byte" }],
  [["sh", "-c", "echo x > /dev/sda"], { name: "write-device", reason: "overwrites the device /dev/sda" }],
])("%j is dangerous, with its reason", (argv, danger) => {
  expect(findDanger(argv, context)).toEqual(danger);
});

test.each([[[]], [["rm", "-rf", "build"]], [["git", "status"]], [["sudo", "ls"]], [["bash", "-c", "ls"]]])(
  "%j is not",
  (argv) => {
    expect(findDanger(argv, context)).toBeNull();
  },
);

test("a home that is not known is guarded whole", () => {
  expect(findDanger(["rm", "-rf", "/srv/x"], { cwd: "/srv/y", home: null })).toBeNull();
  expect(findDanger(["rm", "-rf", "~"], { cwd: "/srv/y", home: null })?.name).toBe("remove-tree");
});
