import { expect, it } from 'vitest';
import * as api from '../src/index.js';

it('exports what its users need, and nothing more', () => {
  expect(Object.keys(api).sort()).toEqual([
    'SettingsError',
    'createLog',
    'createRedactor',
    'createServer',
    'loadSettings',
    'readProcessEnvironment',
    'serveHttp',
    'serveStdio',
  ]);
});
