/** How many words of a command name what it does: program, subcommands, the name of a script or task. */
export const namingWords: ReadonlyMap<string, number> = new Map([
  ...(
    "apk apt apt-get brew bun bundle cargo composer deno dnf docker dotnet flatpak git go gradle gradlew helm just " +
    "kubectl make mise mix mvn nix npm npx nx pacman pip pip3 pipx pnpm podman poetry rails rake rustup snap svn " +
    "systemctl task terraform tofu turbo uv uvx yarn"
  )
    .split(" ")
    .map((name) => [name, 2] as const),
  ...["aws", "az", "gcloud", "gh", "glab", "heroku"].map((name) => [name, 3] as const),
  ...(
    "bun run,bun x,bundle exec,deno task,docker compose,nix run,npm exec,npm run,npm run-script,npm x,nx run," +
    "pnpm dlx,pnpm exec,pnpm run,podman compose,poetry run,rustup run,turbo run,uv pip,uv run,uv tool,yarn dlx," +
    "yarn exec,yarn run"
  )
    .split(",")
    .map((name) => [name, 3] as const),
]);

/** Programs that run the code they are given: alone, or with their options, they stand for any command. */
export const interpreter: RegExp =
  /^(?:(?:ba|da|a|k|mk|z|fi|c|tc)?sh|pwsh|python[\d.]*|pypy3?|node|nodejs|tsx|ts-node|ruby|perl|php|lua|Rscript|osascript)$/;

/** Programs that run another command, or act on any file or host in their arguments. */
export const broadPrograms: ReadonlySet<string> = new Set(
  (
    ". awk busybox chmod chown command cp curl dd doas env eval exec find gawk kill ln mawk mv nawk nice nohup parallel pkill rm rsync " +
    "scp sed source ssh su sudo tar tee time timeout touch trap watch wget xargs"
  ).split(" "),
);
