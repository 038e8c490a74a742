import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * The page is painted before any other file has come: its styles are in it (the server names their hash in its policy). The scripts
 * of the first view are loaded at the same time, although one imports the other later.
 */
const firstPaint = {
  name: 'first-paint',
  enforce: 'post',
  generateBundle(_, bundle) {
    const html = bundle['index.html'];
    const files = Object.values(bundle);
    const styles = files.find(({ fileName }) => fileName.endsWith('.css'));
    const start = files.find(({ facadeModuleId }) => facadeModuleId === path('src/view/start.tsx'));
    const scripts = [start.fileName, ...start.imports].filter((name) => !html.source.includes(name));
    html.source = html.source
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles.source}</style>`)
      .replace('</head>', `${scripts.map((name) => `<link rel="modulepreload" href="/${name}">`).join('')}</head>`);
    delete bundle[styles.fileName];
  },
};

export default defineConfig({
  root: path('.'),
  plugins: [firstPaint],
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
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
  },
  logLevel: 'warn',
});
