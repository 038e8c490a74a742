// Makes one module of @mortise/dotnet: a server that starts reads one file instead of a hundred and sixty.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dotnet = fileURLToPath(new URL('../packages/dotnet/', import.meta.url));

/** Also vitest's, before the tests. */
export async function setup() {
  await build({
    entryPoints: [`${dotnet}dist/index.js`],
    outfile: `${dotnet}dist/bundle.js`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // The UMD build of jsonc-parser, which main names, cannot be bundled.
    mainFields: ['module', 'main'],
    sourcemap: true,
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
