import { expect, it } from 'vitest';
import { tokenIn } from '../../src/state/page-token.js';

it('a one-time token is taken out of the address', () => {
  expect(tokenIn('#token=mortise-page-Ab_3-x')).toEqual({ token: 'mortise-page-Ab_3-x' });
});

it.each(['', '#', '#/tools/echo', '#/tools/token=mortise-page-x'])('the address %j has no token', (hash) => {
  expect(tokenIn(hash)).toBeUndefined();
});

it.each([
  'an-access-key-of-someone-else-who-watches',
  '',
  '%',
  'a%0d%0ab',
  'mortise-page-a%0d%0ab',
  'mortise-page-%',
  'mortise-page-a.secret',
  'mortise-page-x\ny',
  `mortise-page-${'x'.repeat(101)}`,
])('the address takes %j as no token, and loses it', (text) => {
  expect(tokenIn(`#token=${text}`)).toEqual({ token: undefined });
});
