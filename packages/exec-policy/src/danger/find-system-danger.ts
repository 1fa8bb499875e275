import type { ShellWord } from "../command/shell-word.ts";
import { withoutGlobalOptions } from "../command/without-global-options.ts";
import type { Danger } from "./danger.ts";

const formats: Danger = { name: "format-disk", reason: "writes a new file system or partition table" };
const stops: Danger = { name: "stop-machine", reason: "stops or restarts the machine" };

const programs: ReadonlyMap<string, Danger> = new Map([
  ...["blkdiscard", "cfdisk", "fdisk", "gdisk", "mke2fs", "mkswap", "parted", "sfdisk", "sgdisk", "wipefs"].map(
    (name) => [name, formats] as const,
  ),
  ...["halt", "poweroff", "reboot", "shutdown"].map((name) => [name, stops] as const),
  ["dropdb", { name: "drop-data", reason: "deletes a database" }] as const,
  ["killall5", { name: "kill-all", reason: "stops every process" }] as const,
]);

/** Subcommands that delete more than one command should without a question. */
const subcommands: readonly (readonly [words: string, reason: string])[] = [
  ["aws s3 rb", "deletes a bucket"],
  ["crontab -r", "deletes all scheduled jobs"],
  ["cryptsetup luksFormat", "overwrites a disk"],
  ["diskutil eraseDisk", "erases a disk"],
  ["diskutil eraseVolume", "erases a volume"],
  ["docker container prune", "deletes every stopped container"],
  ["docker image prune", "deletes images"],
  ["docker network prune", "deletes networks"],
  ["docker system prune", "deletes containers, images and networks"],
  ["docker volume prune", "deletes volumes with their data"],
  ["docker volume rm", "deletes volumes with their data"],
  ["podman system prune", "deletes containers, images and networks"],
  ["podman volume prune", "deletes volumes with their data"],
  ["gh repo delete", "deletes a repository"],
  ["init 0", "stops the machine"],
  ["init 6", "restarts the machine"],
  ["kubectl delete", "deletes objects of a cluster"],
  ["systemctl halt", "stops the machine"],
  ["systemctl kexec", "restarts the machine"],
  ["systemctl poweroff", "stops the machine"],
  ["systemctl reboot", "restarts the machine"],
  ["telinit 0", "stops the machine"],
  ["telinit 6", "restarts the machine"],
  ["terraform destroy", "deletes what it manages"],
  ["zfs destroy", "deletes a file system"],
  ["zpool destroy", "deletes a pool of disks"],
];

/** Commands that reach beyond files: disks, the machine, all processes, stores of data. */
export function findSystemDanger(name: string, words: readonly ShellWord[]): Danger | null {
  if (/^mkfs(?:\.|$)/.test(name)) return formats;
  if (name === "kill" && words.slice(1).some((word) => word.text === "-1" && word !== words[1])) {
    return { name: "kill-all", reason: "stops every process that it may" };
  }
  const own = programs.get(name);
  if (own !== undefined) return own;
  const line = [
    name,
    ...withoutGlobalOptions(words)
      .slice(1)
      .map((word) => word.text),
    "",
  ].join(" ");
  const found = subcommands.find(([prefix]) => line.startsWith(`${prefix} `));
  return found === undefined ? null : { name: found[0].replaceAll(" ", "-"), reason: found[1] };
}
