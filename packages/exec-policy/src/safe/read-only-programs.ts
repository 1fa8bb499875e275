import { longNames, type OptionSyntax } from "./option-syntax.ts";

/**
 * Programs that write nothing, run nothing and reach no network, whatever their arguments. Left out for one option or file
 * that does: `less`, `more` (shell escapes, `LESSOPEN`), `bat` (its settings name a pager), `diff3`, `sdiff`
 * (`--diff-program`), `yq` (`-i`), `split`, `man`, `top`, `ping`.
 */
export const readOnlyPrograms: ReadonlySet<string> = new Set(
  (
    ": arch b2sum basename cat cd cksum cmp column comm cut df diff dirname du echo egrep expand expr factor false " +
    "fgrep fmt fold free grep groups head id jq join locale logname ls md5sum nl nproc numfmt od paste popd " +
    "printenv ps pushd pwd readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat " +
    "strings sum tac tail tr true tty type uname unexpand uptime users w wc which who whoami"
  ).split(" "),
);

/** Programs that read as long as they are called with nothing but these. */
export const readOnlySyntaxes: ReadonlyMap<string, OptionSyntax> = new Map<string, OptionSyntax>([
  ["base64", { flags: "di", values: "w", long: longNames("decode ignore-garbage wrap"), maximumOperands: 1 }],
  ["env", { maximumOperands: 0 }],
  [
    "fd",
    {
      flags: "HIuasigpL01qFl",
      values: "detEScCj",
      long: longNames(
        "hidden no-ignore unrestricted absolute-path case-sensitive ignore-case glob regex fixed-strings " +
          "full-path follow print0 quiet max-depth min-depth exact-depth type extension exclude size " +
          "changed-within changed-before list-details max-results color threads version help",
      ),
    },
  ],
  ["file", { flags: "bihkLNnps0", values: "Fe", long: longNames("brief mime mime-type mime-encoding version") }],
  // `-v` runs a program of the folder in `GETCONF_DIR`.
  ["getconf", { flags: "a", maximumOperands: 2 }],
  ["hexdump", { flags: "bcCdovx", values: "fens" }],
  ["hostname", { flags: "sfdiIA", long: longNames("fqdn short long"), maximumOperands: 0 }],
  [
    "rg",
    {
      flags: "aFHILNPSUchilnopquvwxs0.V",
      values: "ABCEefgjmMrtTd",
      numbers: true,
      long: longNames(
        "after-context before-context byte-offset case-sensitive color colors column context " +
          "context-separator count count-matches crlf debug encoding engine file files files-with-matches " +
          "files-without-match fixed-strings follow glob glob-case-insensitive heading help hidden iglob " +
          "ignore-case ignore-file include-zero invert-match json line-buffered line-number line-regexp " +
          "max-columns max-columns-preview max-count max-depth max-filesize mmap multiline multiline-dotall " +
          "no-config no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages null " +
          "one-file-system only-matching passthru path-separator pcre2 pretty quiet regexp replace smart-case " +
          "sort sortr stats text threads trim type type-add type-list type-not unrestricted version vimgrep " +
          "with-filename word-regexp",
      ),
    },
  ],
  [
    "sort",
    {
      flags: "bcCdfghiMmnRrsuVz",
      values: "kt",
      long: longNames(
        "check dictionary-order field-separator general-numeric-sort human-numeric-sort ignore-case " +
          "ignore-leading-blanks key numeric-sort reverse stable unique version-sort zero-terminated",
      ),
    },
  ],
  [
    "tree",
    {
      flags: "adflxisSpughDFqNnCvtrcUJX",
      values: "LIP",
      long: longNames("dirsfirst filelimit gitignore noreport prune du charset version"),
    },
  ],
  [
    "uniq",
    {
      flags: "cdDiuz",
      values: "fsw",
      long: longNames("count repeated unique ignore-case zero-terminated"),
      maximumOperands: 1,
    },
  ],
  ["xxd", { flags: "abeEipuC", maximumOperands: 1 }],
]);

/** Variables that a program must not obey while it reads. ripgrep takes options from a file, `--pre` among them. */
export const programEnvironments: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["rg", { RIPGREP_CONFIG_PATH: "" }],
]);
