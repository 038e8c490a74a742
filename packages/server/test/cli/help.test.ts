import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { EXIT_CODES } from '../../src/cli/shared/exit-codes.js';
import { runMortise } from './run-mortise.js';

/** One file for each. */
const COMMANDS = readdirSync(new URL('../../src/cli/commands', import.meta.url)).map((file) => parse(file).name);

describe('mortise --help', () => {
  it('names every command and every exit code', async () => {
    const { code, stdout, stderr } = await runMortise(createWorkplace(), ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const list = stdout.slice(stdout.indexOf('\nCommands:'), stdout.indexOf('\nExamples:'));
    const named = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(named.filter((name) => name !== 'help').sort()).toEqual([...COMMANDS].sort());
    for (const { code: number, meaning } of Object.values(EXIT_CODES))
      expect(stdout).toContain(`  ${String(number).padEnd(5)}${meaning}`);
  });

  it.each(COMMANDS)('of %s has examples of that command, and the options for all', async (name) => {
    const { code, stdout } = await runMortise(createWorkplace(), [name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n  mortise ${name}`));
    expect(stdout).toContain('--config <file>');
  });

  it('without a command goes to stderr, for nothing was asked', async () => {
    const { code, stdout, stderr } = await runMortise(createWorkplace(), []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: mortise/);
    expect(stderr).not.toContain('mortise: ');
  });
});

describe('a wrong command line', () => {
  it.each([
    [['lst'], "mortise: Unknown command 'lst'\n  → Did you mean list? See mortise --help\n"],
    [['key', 'nwe'], "mortise: Unknown command 'nwe'\n  → Did you mean new? See mortise key --help\n"],
    [['key', 'new'], "mortise: Missing required argument 'name'\n  → See mortise key new --help\n"],
    [['list', '--jsn'], "mortise: Unknown option '--jsn'\n  → Did you mean --json? See mortise list --help\n"],
    [['call'], "mortise: Missing required argument 'tool'\n  → See mortise call --help\n"],
    [
      ['list', 'x', 'y'],
      "mortise: Too many arguments for 'list'. Expected 1 argument but got 2.\n  → See mortise list --help\n",
    ],
    [
      ['serve', '--http', '--port', 'x'],
      "mortise: Option '--port <number>' argument 'x' is invalid. It must be a whole number.\n  → See mortise serve --help\n",
    ],
    [
      ['serve', '--port', '1'],
      'mortise: --port requires --http.\n  → Add --http, or remove the option to serve over stdio.\n',
    ],
  ])('%j is explained', async (args, expected) => {
    const { code, stdout, stderr } = await runMortise(createWorkplace(), args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expected });
  });

  it('is explained in ASCII where the locale has no more', async () => {
    const { stderr } = await runMortise(createWorkplace(), ['lst'], { env: { LANG: 'C' } });
    expect(stderr).toContain('\n  -> Did you mean list?');
  });
});
