import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { ECHO } from './plugins.js';
import { runMortise } from './run-mortise.js';

describe('mortise trust', () => {
  it('lets the configuration of a folder count until it is taken back', async () => {
    const workplace = createWorkplace({ 'plugins/echo.mjs': ECHO });
    const folder = realpathSync(workplace.folder);
    const hasEcho = async () => (await runMortise(workplace, ['call', 'echo'])).code === 0;
    expect(await hasEcho()).toBe(false);

    const trusted = await runMortise(workplace, ['trust']);
    expect(trusted.stdout).toMatch(
      new RegExp(
        `^Trusted: ${folder}\\n  .*starts the plugins and servers.*\\n  → Take it back: mortise trust --remove `,
      ),
    );
    expect(await hasEcho()).toBe(true);
    expect((await runMortise(workplace, ['trust', '--list'])).stdout).toBe(`${folder}\n`);

    expect((await runMortise(workplace, ['trust', '--remove', '--json'])).stdout).toContain('"removed": true');
    expect(await hasEcho()).toBe(false);
    expect((await runMortise(workplace, ['trust', '--list'])).stdout).toBe('No folder is trusted.\n');
  });

  it.each([
    [['nowhere'], 'is no folder that exists'],
    [['--list', '--remove'], '--list shows all trusted folders'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runMortise(createWorkplace(), ['trust', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
