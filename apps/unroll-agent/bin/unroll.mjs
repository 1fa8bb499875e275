#!/usr/bin/env node
import "@unroll/cli/unroll";
