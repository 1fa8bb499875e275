import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/** A registry on loopback that has the packed packages and nothing else: for the scope alone, all else comes from the usual one. */
export async function startRegistry(packed) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const found = packed.find(({ manifest }) => path === `/${manifest.name}` || path === `/${manifest.name}.tgz`);
    if (found === undefined) return void response.writeHead(404).end("{}");
    if (path.endsWith(".tgz")) return void response.end(readFileSync(found.tarball));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(toPackument(found, `http://127.0.0.1:${server.address().port}`)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function toPackument({ manifest, tarball }, origin) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const dist = { tarball: `${origin}/${name}.tgz`, integrity };
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { [version]: "2020-01-01T00:00:00.000Z" },
  };
}
