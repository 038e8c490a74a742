#!/usr/bin/env node
// npm links the bin of a workspace before it builds, so this file is committed and imports what the build makes.
import module from 'node:module';

// Before the rest is loaded.
if (module.enableCompileCache) (await import('../dist/compile-cache.js')).enableCompileCache();
const { main } = await import('../dist/cli.js');

process.exitCode = await main(process.argv.slice(2));
