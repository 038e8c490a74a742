import { expect, it } from 'vitest';
import { createQuickWorkplace, runMortise } from './run-mortise.js';

/** docs/spec/access.md#definition-cost */

const PLUGIN = `export const register = (api) => {
  for (const [name, chars] of [['small', 10], ['large', 2000]])
    api.registerTool({ name, title: 'T', description: 'd'.repeat(chars), inputSchema: { type: 'object' }, run: () => name });
};`;

const open = (DefinitionBudget: number) =>
  createQuickWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    { Tools: { DefinitionBudget }, Profiles: { little: { Include: ['small'] } } },
  );

it('mortise list --tokens shows what each definition costs, the largest first', async () => {
  const { stdout } = await runMortise(open(300), ['list', '--tokens']);
  expect(stdout).toMatch(
    /^tokens {2}tool\n {3}\d{3} {2}large\n {3}\d{3} {2}builtin_plugins\n {4}\d\d {2}small\n {3}\d{3} {2}in all, 3 tools\n/,
  );
  expect(stdout).toMatch(/Tools\.DefinitionBudget is 300: \d+ tokens too many\.\n$/);
  const profile = await runMortise(open(300), ['list', '--tokens', '--profile', 'little']);
  expect(profile.stdout).toMatch(/^tokens {2}tool\n {4}\d\d {2}small\n {4}\d\d {2}in all, 1 tool\n/);
  expect(profile.stdout).toContain('is 300: all fit.');
  const json = JSON.parse((await runMortise(open(0), ['list', '--tokens', '--json'])).stdout);
  expect(json.definitions[0].name).toBe('large');
  expect(json.tokens).toBe(json.definitions.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0));
});

it('mortise doctor names the largest definitions beyond the budget, and nothing without one', async () => {
  const beyond = await runMortise(open(300), ['doctor']);
  expect(beyond.stdout).toMatch(
    /! Tool definitions: about \d+ tokens; Tools\.DefinitionBudget is 300\n {4}→ Largest: large \(\d+\),/,
  );
  expect((await runMortise(open(10_000), ['doctor'])).stdout).toMatch(/✓ Tool definitions: about \d+ tokens;/);
  expect((await runMortise(open(0), ['doctor'])).stdout).not.toContain('Tool definitions');
});
