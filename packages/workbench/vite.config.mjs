import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * The page is painted before any other file has come: its styles are in it (the server names their hash in its policy). The script of
 * the first view is loaded at the same time as the one that imports it later.
 */
const firstPaint = {
  name: 'first-paint',
  enforce: 'post',
  generateBundle(_, bundle) {
    const html = bundle['index.html'];
    const files = Object.values(bundle);
    const styles = files.find(({ fileName }) => fileName.endsWith('.css'));
    const main = files.find(({ name }) => name === 'main');
    // A file that only imports the one with the code of the first view: one request less.
    const start = files.find(({ facadeModuleId }) => facadeModuleId === path('src/view/start.tsx'));
    const [view] = start.imports;
    main.code = main.code.replace(basename(start.fileName), basename(view));
    html.source = html.source
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles.source}</style>`)
      .replace('</head>', `<link rel="modulepreload" href="/${view}"></head>`);
    delete bundle[styles.fileName];
    delete bundle[start.fileName];
  },
};

/** Imports need no help from Vite: no file has styles of its own. Finding out what the browser preloads takes 2 ms at the start. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
};

export default defineConfig({
  root: path('.'),
  plugins: [plainImports, firstPaint],
  resolve: {
    alias: [
      { find: '@mortise/redact', replacement: path('../redact/src/index.ts') },
      // What the page has to know of the server and of MCP is in modules of theirs.
      { find: /^mortise\/(.*)$/, replacement: path('../server/src/$1.ts') },
      { find: /^@mortise\/mcp\/(.*)$/, replacement: path('../mcp/src/$1.ts') },
      { find: 'node:os', replacement: path('src/platform/node-os.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../server/workbench'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
    // Each file is a request: one for the first request to the server, one for the first view, one for what shows a call, each with what it imports.
    rolldownOptions: {
      // Nothing of the server runs because it is imported.
      treeshake: { moduleSideEffects: [{ test: /packages\/(?:mcp|server)\/src/, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/main\.ts$/, priority: 3 },
            { name: 'start', test: /src\/view\/start\.tsx$/, priority: 2 },
            { name: 'run-view', test: /src\/view\/run-view\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  logLevel: 'warn',
});
