/**
 * The hosts of well-known services, as patterns, by the name that a person writes. From the
 * services' own pages on firewalls and mirrors; only hosts that an install or a clone reads from.
 */
export const hostPresets: Readonly<Record<"npm" | "pypi" | "crates" | "debian" | "github", readonly string[]>> = {
  npm: ["registry.npmjs.org:443"],
  pypi: ["pypi.org:443", "files.pythonhosted.org:443"],
  crates: ["crates.io:443", "index.crates.io:443", "static.crates.io:443"],
  debian: ["deb.debian.org:80", "deb.debian.org:443", "security.debian.org:80", "security.debian.org:443"],
  github: [
    "github.com:22",
    "github.com:443",
    "api.github.com:443",
    "codeload.github.com:443",
    "raw.githubusercontent.com:443",
    "objects.githubusercontent.com:443",
    "release-assets.githubusercontent.com:443",
  ],
};
