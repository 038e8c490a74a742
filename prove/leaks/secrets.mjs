import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createRandom } from '../random.mjs';

const ROWS = fileURLToPath(new URL('../../test/security/secrets/rows.ts', import.meta.url));
/** The secrets that the corpus of the tests writes into its texts. */
const FIXED = /hunter2Zq8|Tr0ub4dor|aB3dE5fG7h|J9kL1mN2pQ|J9kL1m|battery7/g;
const CHARS = { a: 'abcdefghijkmnpqrstuvwxyz', A: 'ABCDEFGHJKLMNPQRSTUVWXYZ', 0: '23456789' };

/** In place of the corpus' sample(): tokens whose characters are new in each import. A number begins with 1, as ids do. */
const SAMPLE = `
const seed = Number(new URL(import.meta.url).searchParams.get('seed'));
let state = seed >>> 0;
const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
export function sample(alphabet, length) {
  const text = Array.from({ length }, () => alphabet[(next() >>> 8) % alphabet.length]).join('');
  return text.replace(/^[0-9](?=[0-9]*$)/, '1');
}`;

/**
 * The kinds of secrets that the tests know.
 * @returns gives the texts of all kinds with new values for each seed
 */
export async function createSecrets(folder) {
  const outfile = join(folder, 'rows.mjs');
  const plugin = {
    name: 'sample',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/sample\.js$/ }, () => ({ path: 'sample', namespace: 'prove' }));
      onLoad({ filter: /.*/, namespace: 'prove' }, () => ({ contents: SAMPLE }));
    },
  };
  await build({ entryPoints: [ROWS], outfile, bundle: true, format: 'esm', plugins: [plugin], logLevel: 'error' });
  return async (seed) => {
    const { SECRET_ROWS } = await import(`${pathToFileURL(outfile).href}?seed=${seed}`);
    const { pick } = createRandom(seed);
    const values = new Map();
    const generate = (fixed) => fixed.replace(/[a-z]/g, () => pick(CHARS.a)).replace(/[A-Z]/g, () => pick(CHARS.A));
    const renewed = (fixed) => {
      if (!values.has(fixed))
        values.set(
          fixed,
          generate(fixed).replace(/\d/g, () => pick(CHARS[0])),
        );
      return values.get(fixed);
    };
    const renew = (text) => text.replace(FIXED, renewed);
    return SECRET_ROWS.filter(({ input }) => typeof input === 'string').map(({ detector, input, secrets }) => ({
      kind: detector,
      input: renew(input),
      secrets: secrets.map(renew),
    }));
  };
}
