import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { runMortise, withoutIsolation } from './run-mortise.js';

describe('mortise new', () => {
  it('makes a plugin whose tool can be called at once, in a folder that had nothing', async () => {
    const workplace = withoutIsolation(createWorkplace());
    const cwd = join(workplace.folder, 'fresh');
    mkdirSync(cwd);
    const made = await runMortise(workplace, ['new', 'word-count'], { cwd });
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Made the plugin plugins.word-count with the tool word_count: /);
    expect(made.stdout).toMatch(
      /\nNext:\n {2}npm test --prefix plugins.word-count\n {2}npx mortise call word_count --arg name=Ada\n/,
    );
    const called = await runMortise(workplace, ['call', 'word_count', '--arg', 'name=Ada'], { cwd });
    expect(called).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' });
  });

  it('makes one in TypeScript, whole with --full', async () => {
    const workplace = withoutIsolation(createWorkplace());
    const cwd = join(workplace.folder, 'fresh');
    mkdirSync(cwd);
    const made = await runMortise(workplace, ['new', 'word-count', '--style', 'typescript', '--full'], { cwd });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('index.test.ts') });
    const called = await runMortise(workplace, ['call', 'word_count', '--answer', 'name=Ada'], { cwd });
    expect(called).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' });
  });

  it.each([
    [['no/slash'], 'mortise: '],
    [
      ['x', '--style', 'cobol'],
      'mortise: There is no style "cobol".\n  → Choose --style javascript, typescript, class, register or dotnet.\n',
    ],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await runMortise(createWorkplace(), ['new', '--plugins', 'plugins', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
