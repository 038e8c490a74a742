import { describe, expect, it } from 'vitest';
import { createWorkplaceWithHeld, heldJoinsQuick } from './held-plugin.js';
import { runMortise } from './run-mortise.js';

describe('a register that hangs', () => {
  it('does not delay the tools of the others, and joins by subscriptions/listen', () => heldJoinsQuick('2026-07-28'));

  it('does not delay a call of another plugin on the command line', async () => {
    const { code, stdout, stderr } = await runMortise(await createWorkplaceWithHeld(), ['call', 'quick']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'from quick\n', stderr: '' });
  });

  it('is named by a command that waits for it', async () => {
    const { stdout, stderr } = await runMortise(await createWorkplaceWithHeld({ LoadTimeoutMs: 1000 }), ['list']);
    expect(stderr).toContain('Waiting for plugins to load (at most 6000 ms each): held\n');
    expect(stdout).toContain('The plugin did not load within 6000 ms');
    expect(stdout).toContain('quick');
  });
});
