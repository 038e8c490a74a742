import { expect, it } from 'vitest';
import { ForwardedRequest } from '../../../src/run/mounted/forwarded-request.js';

const question = { q: { method: 'elicitation/create', params: {} } } as never;

it('keeps a limited number of questions of a server between two rounds', async () => {
  const request = new ForwardedRequest({} as never, {
    method: 'tools/call',
    params: {},
    metaFor: () => undefined,
    onCancelled: () => {},
  });
  for (let count = 0; count < 32; count++) request.ask(question).catch(() => {});
  await expect(request.ask(question)).rejects.toThrow('A call can have 32 open questions at most');
});
