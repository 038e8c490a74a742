import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greeting } from './plugins.js';
import {
  createQuickWorkplace,
  createTrustedWorkplace,
  finish,
  record,
  runMortise,
  startMortise,
} from './run-mortise.js';

describe('mortise dev', () => {
  it('calls again after each change, shows problems and logs, accepts changed definitions, and ends with Ctrl+C', async () => {
    const workplace = createTrustedWorkplace(
      { 'plugins/greet.mjs': greeting('Hello'), 'plugins/neighbour.mjs': 'process.exit(3);' },
      { Plugins: { OnChange: 'refuse' } },
    );
    const child = startMortise(workplace, ['dev', 'greet', '--call', 'greet', '--arg', 'name=Ada']);
    const finished = finish(child);
    const [out, err] = [record(child.stdout), record(child.stderr)];

    await out.untilOutput('Hello, Ada!');
    await err.untilOutput('who=Ada');
    expect(err.text()).toMatch(/^\d\d:\d\d:\d\d info {2}greeting {2}who=Ada/m);

    const file = workplace.write('plugins/greet.mjs', greeting('Hello', 'Greets a person.'));
    const lockFile = join(workplace.folder, 'mortise.lock.json');
    await out.untilOutput(`Accepted in ${lockFile}:`);
    expect(out.text()).toContain('~ greet (description)');

    workplace.write('plugins/greet.mjs', `${greeting('Broken')}}`);
    await out.untilOutput(`${file}:13:1`);
    expect(out.text()).toContain('the reload failed after');

    workplace.write('plugins/greet.mjs', greeting('Welcome', 'Greets a person.'));
    await out.untilOutput('Welcome, Ada!');
    expect(out.text()).not.toContain('Broken');
    expect(out.text()).not.toContain('neighbour');

    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 0, signal: null });
    expect(existsSync(lockFile)).toBe(true);
    expect(readFileSync(lockFile, 'utf8')).toContain('greet');
  });

  it.each([
    [['dev', 'gone'], 3, 'gone does not exist'],
    [['dev', 'plugins'], 3, 'is a folder of plugins'],
    [['dev', 'greet', '--arg', 'name=Ada'], 2, 'Add --call <tool>.'],
  ])('refuses %j', async (args, code, message) => {
    const workplace = createQuickWorkplace({ 'plugins/greet.mjs': greeting('Hello') });
    const { code: exitCode, stderr } = await runMortise(workplace, args);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(message) });
  });
});
