import { describe, it } from 'vitest';
import { heldJoinsQuick } from './held-plugin.js';

describe('a register that hangs', () => {
  it('does not delay the tools of the others, and joins by list_changed', () => heldJoinsQuick('2025-11-25'));
});
