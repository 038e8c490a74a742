import { expect } from 'vitest';
import { createTrustedWorkplace, runMortise } from '../../packages/server/test/cli/run-mortise.js';

/** What a terminal obeys, or hides, by another rule than the one under test: categories of Unicode. */
export const OBEYED = /[^\P{C}\n\t]|[\u2028\u2029\u200b-\u200f\u3164\uffa0\u115f\u1160]/u;

export const TEXTS = [
  '\r',
  '\rdone',
  '\b\b\b',
  '\u001b[2J',
  '\u001b[31mred',
  '\u001b[1A\u001b[2K',
  '\u001b[?1049h',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://x.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001b]52;c;aGk=\u0007',
  '\u001bP1$r\u001b\\',
  '\u001b_x\u001b\\',
  '\u001bc',
  '\u001b7',
  '\u001b(0',
  '\u001b',
  '\u009b31m',
  '\u009d0;x\u009c',
  '\u0090x\u009c',
  '\u0085',
  '\u007f',
  '\0',
  '\u0007',
  '\v',
  '\f',
  '\u000e',
  '\u202e',
  '\u202a',
  '\u202d',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u200c',
  'a\u200db',
  '\u2060',
  '\u2061',
  '\ufeff',
  '\u00ad',
  '\u180e',
  '\u2028',
  '\u2029',
  '\ufff9',
  '\ufffb',
  '\u3164',
  '\u{e0041}',
  '\u{e007f}',
  '\u206a',
  '\u115f',
  '\uffa0',
]; // prettier-ignore

export function expectNoneObeyed(output: string): void {
  expect(output.split('\n').filter((line) => OBEYED.test(line))).toEqual([]);
}

export const all = TEXTS.join('·');
const literal = JSON.stringify(all);
export const makeWorkplace = () =>
  createTrustedWorkplace(
    {
      'plugins/p.cjs': `module.exports.register = (api) => {
        const said = ${literal};
        const inputSchema = { type: 'object', properties: { ['x' + said]: { type: 'string', description: said } } };
        api.registerTool({ name: 'says', description: 'It says. ' + said, title: said, inputSchema, run: () => ({ content: said, metadata: { said, [said]: 1 } }) });
        api.registerTool({ name: 'throws', description: said, inputSchema, run: () => { console.log(said); throw new Error(said); } });
        api.registerTool({ name: 'bad' + said, description: said, inputSchema, run: () => 1 });
      };`,
      'plugins/broken.cjs': `throw new Error(${literal});`,
      'plugins/od\u001b[31md\u202e.cjs': 'module.exports.register = 1;',
    },
    { Plugins: { Isolation: 'none', Directory: ['plugins', `no-${all.replaceAll('\0', '')}`] } },
  );
const argument = all.replaceAll('\0', '');

/** Commands whose arguments or plugins say every text. */
export const COMMANDS: Record<string, string[]> = {
  list: ['list'],
  'list --json': ['list', '--json'],
  call: ['call', 'says'],
  'call --json': ['call', 'says', '--json'],
  'call of what throws': ['call', 'throws'],
  'call of an unknown tool': ['call', argument],
  'call with unknown arguments': ['call', 'says', '--arg', `${argument}=1`],
  validate: ['validate'],
  doctor: ['doctor'],
  'an unknown command': [argument],
  'an unknown option': [`--${argument}`],
  'a configuration of that name': ['list', '--config', argument],
  trust: ['trust', argument],
  'new': ['new', argument],
  'list with its log': ['list', '--log-level', 'trace'],
};

/** Runs it; what the terminal gets is only seen. */
export async function expectSeen(args: readonly string[]): Promise<void> {
  const { stdout, stderr } = await runMortise(makeWorkplace(), args);
  expect(stdout + stderr).not.toBe('');
  expectNoneObeyed(stdout);
  expectNoneObeyed(stderr);
}
