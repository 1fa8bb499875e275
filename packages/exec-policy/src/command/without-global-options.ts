import { baseName } from "./program-path.ts";
import type { ShellWord } from "./shell-word.ts";

/** For programs with subcommands: the options in front of the subcommand that take the next word. */
const globalValues: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    aws: "--ca-bundle --color --endpoint-url --output --profile --query --region",
    docker: "-c -H -l --config --context --host --log-level --tlscacert --tlscert --tlskey",
    git:
      "-c -C --attr-source --config-env --exec-path --git-dir --namespace --shallow-file --super-prefix " +
      "--work-tree",
    kubectl:
      "-n -s -v --as --as-group --as-uid --cache-dir --certificate-authority --client-certificate --client-key " +
      "--cluster --context --kubeconfig --namespace --password --profile --profile-output --request-timeout " +
      "--server --tls-server-name --token --user --username",
    npm: "-C -w --cache --loglevel --prefix --registry --userconfig --workspace",
    podman: "-c --connection --identity --log-level --root --runroot --runtime --storage-driver --tmpdir --url",
  }).map(([program, options]) => [program, new Set(options.split(" "))]),
);

/** `git -C x push` as `git push`: what the options in front of a subcommand must not hide. Others as they are. */
export function withoutGlobalOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  const [program] = words;
  const values = globalValues.get(baseName(program?.text ?? "").toLowerCase());
  if (program === undefined || values === undefined) return words;
  let index = 1;
  for (let word = words[index]; word?.text.startsWith("-") === true; word = words[index]) {
    index += values.has(word.text) ? 2 : 1;
  }
  return [program, ...words.slice(index)];
}

/** Whether `withoutGlobalOptions` knows which options of a program take a value. */
export function hasKnownOptions(program: string): boolean {
  return globalValues.has(program);
}
