import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The page is painted before any other file has come: its styles are in it (the server names their hash in its policy). */
const stylesInPage = {
  name: 'styles-in-page',
  enforce: 'post',
  generateBundle(_, bundle) {
    const html = bundle['index.html'];
    const styles = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'));
    html.source = html.source.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles.source}</style>`);
    delete bundle[styles.fileName];
  },
};

/** Nearly all of the script is for the first view: Chromium compiles it while the page is painted, and not at the first call of each function. */
const compiledAtOnce = {
  name: 'compiled-at-once',
  enforce: 'post',
  generateBundle(_, bundle) {
    const main = Object.values(bundle).find(({ name }) => name === 'main');
    main.code = `//# allFunctionsCalledOnLoad\n${main.code}`;
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
  plugins: [plainImports, stylesInPage, compiledAtOnce],
  resolve: {
    alias: [
      { find: '@mortise/redact', replacement: path('../redact/src/index.ts') },
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
    // Each file is a request: one for the first view with all that it imports, one for what shows a call.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/main\.ts$/, priority: 2 },
            { name: 'run-view', test: /src\/view\/run-view\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  logLevel: 'warn',
});
