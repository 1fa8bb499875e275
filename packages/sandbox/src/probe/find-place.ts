import { existsSync } from "node:fs";
import { readTextIfAny } from "@unroll/files";

/** The reason for which commands may get no namespaces here; `machine`: nothing that we know refuses them. */
export type Place = "container" | "apparmor" | "no user namespaces" | "machine";

const containerFiles = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"];
const containerVariables = ["container", "KUBERNETES_SERVICE_HOST"];

/** Looks at the marks that Docker, Podman, systemd and Kubernetes leave, and at settings of the kernel. */
export function findPlace(environment: Readonly<Record<string, string>>): Place {
  if (containerFiles.some((file) => existsSync(file)) || containerVariables.some((name) => name in environment))
    return "container";
  if (readSetting("kernel/apparmor_restrict_unprivileged_userns") === "1") return "apparmor";
  const isOff = ["user/max_user_namespaces", "kernel/unprivileged_userns_clone"].some(
    (key) => readSetting(key) === "0",
  );
  return isOff ? "no user namespaces" : "machine";
}

function readSetting(key: string): string | null {
  return readTextIfAny(`/proc/sys/${key}`)?.trim() ?? null;
}
