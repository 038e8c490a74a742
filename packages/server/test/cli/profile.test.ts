import { describe, expect, it } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { createQuickWorkplace, runMortise } from './run-mortise.js';

const PLUGIN = (name: string) => `export const register = (api) => {
  const schema = { type: 'object', properties: { count: { type: 'integer' } } };
  for (const tool of ['look', 'change'])
    api.registerTool({ name: '${name}_' + tool, title: 'T', description: 'd', inputSchema: schema,
      annotations: { readOnlyHint: tool === 'look' }, run: ({ count = 0 }) => '${name} ' + tool + ' ' + (count + 1) });
  api.registerResource({ uri: '${name}://one', name: 'one', read: () => 'text of ${name}' });
  api.registerPrompt({ name: '${name}-ask', description: 'd', get: () => 'prompt of ${name}' });
};`;

const workplace = shared(async (finished) =>
  createQuickWorkplace(
    { 'plugins/near.mjs': PLUGIN('near'), 'plugins/zebra.mjs': PLUGIN('zebra') },
    {
      Profiles: { near: { Include: ['near'] }, looking: { Include: ['*_look'] } },
      Tools: { TrustAnnotations: ['near'] },
    },
    finished,
  ),
);

describe('--profile', () => {
  it.each([
    [['call', 'near_look', '--arg', 'count=1'], 'near look 2'],
    [['read', 'near://one'], 'text of near'],
    [['prompt', 'near-ask'], 'user: prompt of near'],
  ])('%j answers what the profile shows', async (args, text) => {
    expect(await runMortise(workplace(), [...args, '--profile', 'near'])).toMatchObject({
      code: 0,
      stdout: `${text}\n`,
      stderr: '',
    });
  });

  it.each([
    [['call', 'zebra_look'], "There is no tool 'zebra_look'."],
    [['read', 'zebra://one'], 'Resource not found: zebra://one.'],
    [['prompt', 'zebra-ask'], 'Unknown prompt: zebra-ask.'],
  ])('%j does not know what it hides, and suggests none of it', async (args, message) => {
    const { code, stdout, stderr } = await runMortise(workplace(), [...args, '--profile', 'near']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(message);
    expect(stderr.replaceAll(args[1]!, '')).not.toContain('zebra');
  });

  it('lists what it shows; with --read-only both count', async () => {
    const lists = async (...flags: string[]) =>
      JSON.parse((await runMortise(workplace(), ['list', '--json', ...flags])).stdout);
    const names = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);
    const near = await lists('--profile', 'near');
    expect(names(near)).toEqual(['near_change', 'near_look']);
    expect(near.plugins.map(({ name }: { name: string }) => name)).toEqual(['near']);
    expect(names(await lists('--profile', 'near', '--read-only'))).toEqual(['near_look']);
    expect(names(await lists('--profile', 'looking'))).toEqual(['near_look', 'zebra_look']);
  });

  it('says how many plugins it hides, and why a tool that reads may be one of them', async () => {
    const { stdout } = await runMortise(workplace(), ['list', '--read-only']);
    expect(stdout).toContain('The profile hides 1 plugin. A tool of a plugin counts as reading only if');
    expect((await runMortise(workplace(), ['list'])).stdout).not.toContain('The profile hides');
  });

  it.each([
    ['call', ['near_look']],
    ['read', ['near://one']],
    ['prompt', ['near-ask']],
    ['list', []],
    ['serve', []],
  ])('%s names the nearest one for a profile that does not exist', async (command, args) => {
    const { code, stdout, stderr } = await runMortise(workplace(), [command, ...args, '--profile', 'neer']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain("There is no profile 'neer' in Profiles.");
    expect(stderr).toContain('Did you mean near?');
  });
});
