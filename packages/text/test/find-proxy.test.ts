import { expect, test } from "vitest";
import { findProxy } from "../src/index.ts";

const used = { variable: "https_proxy", host: "proxy.example:3128" };

test.each([
  { url: "https://api.example/v1", noProxy: "", found: used },
  { url: "https://api.example/v1", noProxy: "*", found: null },
  { url: "https://api.example/v1", noProxy: "other.example,API.example", found: null },
  { url: "https://api.example/v1", noProxy: "api.example:443", found: null },
  { url: "https://api.example:8443/v1", noProxy: "api.example:443", found: used },
  { url: "https://api.example/v1", noProxy: ".example", found: null },
  { url: "https://api.example/v1", noProxy: ".api.example", found: null },
  { url: "https://api.example/v1", noProxy: "*.api.example", found: used },
  { url: "https://badapi.example/v1", noProxy: ".api.example", found: used },
  { url: "https://10.0.0.7/v1", noProxy: "10.0.0.1-10.0.0.9", found: null },
  { url: "https://10.0.0.10/v1", noProxy: "10.0.0.1-10.0.0.9", found: used },
  { url: "http://api.example/v1", noProxy: "", found: null },
])("$url with no_proxy $noProxy", ({ url, noProxy, found }) => {
  const env = { https_proxy: "http://user:secret@proxy.example:3128", no_proxy: noProxy };
  expect(findProxy(new URL(url), env)).toEqual(found);
});

test("the lower case comes first, a blank variable sets no proxy, and other values are not usable", () => {
  const url = new URL("http://api.example");
  expect(findProxy(url, { http_proxy: "http://a", HTTP_PROXY: "http://b" })).toEqual({
    variable: "http_proxy",
    host: "a",
  });
  expect(findProxy(url, { http_proxy: "", HTTP_PROXY: "http://b" })).toEqual({ variable: "HTTP_PROXY", host: "b" });
  expect(findProxy(url, { http_proxy: " " })).toBeNull();
  expect(findProxy(url, { HTTP_PROXY: "socks5://b" })).toEqual({ variable: "HTTP_PROXY", host: null });
});
