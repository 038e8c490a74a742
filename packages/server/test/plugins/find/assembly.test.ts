import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/property-runs.js';
import { parseAssembly } from '../../../src/plugins/find/assembly.js';
import { makeAssembly, makeNative } from './make-assembly.js';

/** The folders of the .NET runtimes on this machine; none where there is no .NET. */
function runtimeFolders(): string[] {
  try {
    const text = execFileSync('dotnet', ['--list-runtimes'], { encoding: 'utf8' });
    return [...text.matchAll(/^\S+ (\S+) \[(.+)\]$/gm)].map(([, version, folder]) => join(folder!, version!));
  } catch {
    return [];
  }
}

const FOLDERS = runtimeFolders();

describe('an assembly', () => {
  it.each([
    ['as the compiler makes it', {}],
    ['of 64 bits', { isPe32Plus: true }],
    ['with large heaps', { heapSizes: 7 }],
    ['with rows of other tables before its own', { before: { 0: [1, 10], 1: [3, 6], 2: [2, 14] } }],
    ['with so many types that a row of them takes four bytes', { before: { 2: [70_000, 16], 9: [2, 8] } }],
  ] as const)('%s says its name and what it refers to', (_, parts) => {
    const references = ['System.Runtime', 'McpServer.Plugin.Abstractions', 'Café'];
    const file = makeAssembly({ name: 'Weather', references, ...parts });
    expect(parseAssembly(file)).toEqual({ kind: 'assembly', name: 'Weather', references });
  });

  it('may refer to nothing', () => {
    expect(parseAssembly(makeAssembly({ name: 'Alone' }))).toEqual({ kind: 'assembly', name: 'Alone', references: [] });
  });

  it('is told from a native library', () => {
    expect(parseAssembly(makeNative())).toEqual({ kind: 'native' });
  });

  it.skipIf(FOLDERS.length === 0)('is read as each one of .NET itself is (skipped without .NET)', () => {
    const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const assemblies = files.filter((file) => file.endsWith('.dll'));
    expect(assemblies.length).toBeGreaterThan(100);
    for (const file of assemblies) {
      const details = parseAssembly(readFileSync(file));
      if (details.kind === 'native') continue;
      expect(details).toMatchObject({ kind: 'assembly', name: basename(file, '.dll') });
      expect(details.kind === 'assembly' && details.references.join(' ')).toMatch(/^[\w. -]*$/);
    }
  });
});

describe('a broken file', () => {
  it.each([
    ['is empty', Buffer.alloc(0), 'it is empty'],
    ['is text', Buffer.from('not a library'), 'the MZ signature is missing'],
    ['has no header', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'it has no PE header'],
    ['is cut in its headers', makeAssembly().subarray(0, 100), 'it is truncated after 100 bytes'],
    ['is cut in its content', makeAssembly().subarray(0, 600), 'it has 600 bytes, and should have'],
  ])('%s', (_, file, reason) => {
    expect(parseAssembly(file)).toEqual({ kind: 'broken', reason: expect.stringContaining(reason) });
  });

  it('is never taken for a whole one, wherever it was cut', () => {
    const whole = makeAssembly({ references: ['McpServer.Plugin.Abstractions'] });
    for (let length = 0; length < whole.length; length++)
      expect(parseAssembly(whole.subarray(0, length)).kind).toBe('broken');
  });

  it('costs no exception and comes to an end, whatever its bytes are', () => {
    const whole = makeAssembly({ references: ['System.Runtime', 'McpServer.Plugin.Abstractions'] });
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (bytes) => {
        const file = Buffer.from(whole);
        for (const [at, byte] of bytes) file[at] = byte;
        expect(parseAssembly(file).kind).toMatch(/^(?:assembly|native|broken)$/);
      }),
      { numRuns: runs(600) },
    );
  });
});
