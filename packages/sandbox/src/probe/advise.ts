import type { Place } from "./find-place.ts";

/** For the whole machine, or a container: we cannot try what only another start or another user can change. */
const waysToNamespaces: Readonly<Record<Place, string>> = {
  container:
    "Start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (not tried here).",
  apparmor:
    "AppArmor refuses user namespaces here. Allow them for bwrap with a profile (not tried here): " +
    "apt-get install apparmor-profiles; cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/; " +
    "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict.",
  "no user namespaces":
    "The kernel's settings refuse user namespaces here. Allow them (not tried here): " +
    "sysctl -w user.max_user_namespaces=15000, and kernel.unprivileged_userns_clone=1 where there is such a key.",
  machine: "",
};

/** The kernel lets root make a user namespace for itself only with CAP_SETFCAP (user_namespaces(7)), which Docker's default has. */
const withoutRights =
  "Start the container as an ordinary user (--user), or with --cap-add SETFCAP if it has to be root (not tried here).";

const isRefusal =
  /new namespace failed|permissions to create|uid map|RTM_NEW|Failed to make \/ slave|pivot_root|mount proc|max_\*_namespaces/i;

/** Advice on bwrap's own error message; empty where the cause is not known. */
export function adviseOn(failure: string, place: Place): string {
  if (/\b(EMFILE|ENFILE)\b|too many open files(?!.*raise)/i.test(failure))
    return "Raise the limit of open files: ulimit -n 1024.";
  if (/no space left on the disk|quota is used up/.test(failure))
    return "Free space there, or set TMPDIR to another folder.";
  if (place === "container" && /uid map: Operation not permitted/.test(failure)) return withoutRights;
  if (/unknown option/i.test(failure)) return "Update bubblewrap to 0.8 or later (not tried here).";
  return isRefusal.test(failure) && !/temporarily unavailable/i.test(failure) ? waysToNamespaces[place] : "";
}

/** Says whether bubblewrap would work, once installed. `works`: whether namespaces do; null: unknown. */
export function adviseInstalled(works: boolean | null, place: Place): readonly string[] {
  if (works === true) return ["The namespaces that it needs work here."];
  if (works === null) return ["Whether the namespaces that it needs work here could not be tried."];
  return ["The namespaces that it needs are refused here, so that alone is not enough.", waysToNamespaces[place]];
}

/** `tried`: the weaker sandbox, or why it does not work here. */
export function adviseWeaker(tried: string | object): string {
  return typeof tried === "string"
    ? `The weaker sandbox (sandbox.allow_weaker) does not work here either: ${tried.replace(/\.$/, "")}.`
    : "You can accept the weaker sandbox, which works here: set sandbox.allow_weaker = true.";
}

export const fullAccess = "If the container is isolation enough, use --sandbox danger-full-access.";
