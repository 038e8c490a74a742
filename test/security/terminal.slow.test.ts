import { describe, expect, it } from 'vitest';
import { runMortise } from '../../packages/server/test/cli/run-mortise.js';
import { all, COMMANDS, expectNoneObeyed, expectSeen, makeWorkplace } from './terminal-texts.js';

describe('the commands', () => {
  it.each(Object.entries(COMMANDS))('%s', (_, args) => expectSeen(args));

  it('shows an unknown key of the configuration', async () => {
    const workplace = makeWorkplace();
    workplace.write('bad.json', JSON.stringify({ Plugins: { [all]: all, Directory: 7 }, Log: { Level: all } }));
    const { stdout, stderr } = await runMortise(workplace, ['validate', '--config', 'bad.json']);
    expect(stderr + stdout).toContain('Plugins');
    expectNoneObeyed(stdout + stderr);
  });
});
