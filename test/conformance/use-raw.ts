import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Version } from '../support/clients.js';
import { openRaw, type RawStdio } from '../support/raw-stdio.js';
import { sharedWorkplace } from './shared-workplace.js';

/** One server with the conformance plugins for the tests of a group; each test sees only what came since its start. */
export function useRaw(version: Version, capabilities?: object): () => RawStdio {
  let wire: RawStdio;
  beforeAll(async () => {
    wire = await openRaw(sharedWorkplace(), version, capabilities);
  });
  beforeEach(() => wire.clear());
  afterAll(() => wire.close());
  return () => wire;
}

/** The params of a call without arguments. */
export const call = (name: string, more: object = {}) => ({ name, arguments: {}, ...more });
