import assert from "node:assert/strict";
import { test } from "node:test";
import { report } from "../src/report.js";

test("the report says what each person pays", () => {
  assert.equal(report("10.00", ["Ada", "Grace", "Linus"]), "Ada pays 3.34\nGrace pays 3.33\nLinus pays 3.33");
});
