import { delimiter } from "node:path";

const ofNpmRun = /^npm_(lifecycle_|package_|command$|execpath$|node_execpath$)/i;
const ofNpmConfig =
  /^npm_config_(prefix|local_prefix|global_prefix|globalconfig|userconfig|user_agent|npm_version|node_gyp|noproxy|cache|init_module|yes)$/i;

/** The environment without what `npm run` exports about itself, which must not leak into pnpm, turbo and the scripts they start. */
export function cleanEnvironment(environment) {
  const clean = {};
  for (const key of Object.keys(environment)) {
    if (!ofNpmRun.test(key) && !ofNpmConfig.test(key)) clean[key] = environment[key];
  }
  clean.TURBO_TELEMETRY_DISABLED = "1";
  clean.TURBO_NO_UPDATE_NOTIFIER = "1";
  const key = pathKey(clean);
  clean[key] = (clean[key] || "")
    .split(delimiter)
    .filter((dir) => !/node_modules[\\/]\.bin$|node-gyp-bin$/.test(dir))
    .join(delimiter);
  return clean;
}

/** Puts a folder first on PATH. */
export function prependPath(environment, dir) {
  const key = pathKey(environment);
  environment[key] = dir + delimiter + environment[key];
}

function pathKey(environment) {
  return Object.keys(environment).find((key) => key.toUpperCase() === "PATH") || "PATH";
}
