import { describe, expect, it, vi } from 'vitest';
import { credentialOf, requireCredential } from '../../src/actions/call-secrets.js';

const NOTHING: ReadonlySet<string> = new Set();

describe('credentialVariable', () => {
  it('is the name of a variable of the server', () => {
    vi.stubEnv('MORTISE_TEST_FEED', 'a value');
    expect(credentialOf({ credentialVariable: 'MORTISE_TEST_FEED' }, NOTHING)).toEqual({ NUGET_API_KEY: 'a value' });
    vi.unstubAllEnvs();
  });

  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
    'is not %s, which every object inherits',
    (credentialVariable) => {
      expect(credentialOf({ credentialVariable }, NOTHING)).toEqual({});
      expect(() => requireCredential({ credentialVariable }, NOTHING)).toThrow(
        `The environment variable ${credentialVariable} is not set for the server`,
      );
    },
  );

  it('is not a setting of the server', () => {
    vi.stubEnv('Auth__Keys', 'a value');
    expect(credentialOf({ credentialVariable: 'Auth__Keys' }, NOTHING)).toEqual({});
    vi.unstubAllEnvs();
  });
});
