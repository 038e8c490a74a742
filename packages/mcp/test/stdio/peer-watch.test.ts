import { describe, expect, it, onTestFinished } from 'vitest';
import { PeerWatch } from '../../src/stdio/peer-watch.js';

/** A watch that checks often; `parent` is the process that started this one. */
function watch(answers: boolean) {
  const state = { parent: 100, asked: 0, isGone: false };
  const peer = new PeerWatch({
    checkMs: 5,
    answerMs: 30,
    parentPid: () => state.parent,
    ask() {
      state.asked += 1;
      if (answers) peer.received();
    },
    onGone() {
      state.isGone = true;
    },
  });
  onTestFinished(() => peer.stop());
  return state;
}

describe('a client whose process has ended while another holds its pipe open', () => {
  it('is gone if it does not answer', async () => {
    const state = watch(false);
    state.parent = 1;
    await expect.poll(() => state.isGone).toBe(true);
    expect(state.asked).toBe(1);
  });

  it('is there if it answers, because only its launcher has ended', async () => {
    const state = watch(true);
    state.parent = 1;
    await expect.poll(() => state.asked).toBe(1);
    // Shows that nothing happens: longer than it could have taken to answer.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(state).toEqual({ parent: 1, asked: 1, isGone: false });
  });
});
