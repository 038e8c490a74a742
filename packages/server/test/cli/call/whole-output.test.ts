import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createQuickWorkplace, runMortise } from '../run-mortise.js';

const LONG = `
export function register(api) {
  api.registerTool({
    name: 'long',
    description: 'Gives long texts.',
    run: (_, { logger }) => {
      logger.info('writing', { lines: 30000 });
      return Array.from({ length: 30000 }, (_, i) => 'line ' + i).join('\\n');
    },
  });
}
`;

it('mortise call keeps an output that was cut in a file, which it names', async () => {
  const workplace = createQuickWorkplace({ 'plugins/long.mjs': LONG });
  const { code, stdout, stderr } = await runMortise(workplace, ['call', 'long']);
  expect(code).toBe(0);
  const [, file = ''] = /The whole output is in (\S+)\n/.exec(stderr) ?? [];
  expect(existsSync(file)).toBe(true);
  const whole = readFileSync(file, 'utf8');
  rmSync(file);
  expect(whole.split('\n')).toHaveLength(30_000);
  expect(whole).toMatch(/^line 0\n.*\nline 29999$/s);
  expect(stdout.length).toBeLessThan(30_000);
  expect(stdout).toContain(`read all in ${file}`);
  expect(stdout).not.toContain('mortise://');
  expect(stderr).toContain('info long: writing  lines=30000');
});
