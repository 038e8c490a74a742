import { createRequire } from 'node:module';

/**
 * A module of the built server, run by Node itself: vitest would put its own loader in place of every `import()` in the
 * source, and the subject of these tests is Node's.
 */
export function built<T>(path: string): T {
  return createRequire(import.meta.url)(`../build/${path}.js`) as T;
}
