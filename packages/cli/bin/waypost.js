#!/usr/bin/env node
import { endWithNpm } from "./end-with-npm.js";

// Before the rest is loaded, which takes longer: npm may end meanwhile.
endWithNpm();
const { run } = await import("../dist/main.js");

process.exitCode = await run(process.argv);
