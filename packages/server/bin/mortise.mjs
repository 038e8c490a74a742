#!/usr/bin/env node
import module from 'node:module';

// Before the rest is loaded.
if (module.enableCompileCache) (await import('../dist/compile-cache.js')).enableCompileCache();
const { main } = await import('../dist/cli.js');

process.exitCode = await main(process.argv.slice(2));
