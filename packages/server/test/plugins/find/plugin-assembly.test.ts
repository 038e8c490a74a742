import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assemblyFiles, assemblyProblem, isDotnetPlugin } from '../../../src/plugins/find/plugin-assembly.js';
import { makeTree } from '../../make-tree.js';
import { makeAssembly } from './make-assembly.js';

const plugin = (...references: string[]) =>
  makeAssembly({ references: ['McpServer.Plugin.Abstractions', ...references] });

describe('the files of a C# plugin', () => {
  it('are those beside it that it refers to, and theirs, there or not, and what the SDK writes about it', () => {
    const root = makeTree({
      'p/Tool.dll': plugin('A', 'Absent'),
      'p/A.dll': makeAssembly({ references: ['B', 'A'] }),
      'p/B.dll': makeAssembly(),
      'p/Other.dll': makeAssembly(),
    });
    const names = assemblyFiles(join(root, 'p/Tool.dll')).map((file) => file.slice(root.length + 3));
    expect(new Set(names)).toEqual(
      new Set([
        'Tool.dll',
        'McpServer.Plugin.Abstractions.dll',
        'A.dll',
        'Absent.dll',
        'B.dll',
        'Tool.deps.json',
        'Tool.runtimeconfig.json',
      ]),
    );
  });

  it('are those where a link leads, and the link', () => {
    const root = makeTree({ 'built/Tool.dll': plugin('A'), 'plugins/.keep': '' });
    symlinkSync(join(root, 'built/Tool.dll'), join(root, 'plugins/Tool.dll'));
    const files = assemblyFiles(join(root, 'plugins/Tool.dll'));
    expect(files).toContain(join(root, 'plugins/Tool.dll'));
    expect(files).toContain(join(root, 'built/A.dll'));
  });

  it('come to an end, whatever refers to whatever', () => {
    const references = Array.from({ length: 2000 }, (_, index) => `Part${index}`);
    const root = makeTree({ 'Tool.dll': plugin(...references) });
    expect(assemblyFiles(join(root, 'Tool.dll')).length).toBeLessThan(600);
  });
});

describe('an assembly is meant as a plugin', () => {
  it('when it, or what it refers to beside it, refers to the contract', () => {
    const root = makeTree({
      'p/Direct.dll': plugin(),
      'p/ByBase.dll': makeAssembly({ references: ['Between'] }),
      'p/Between.dll': makeAssembly({ references: ['Direct'] }),
      'p/Other.dll': makeAssembly({ references: ['Absent'] }),
      'p/McpServer.Plugin.Abstractions.dll': makeAssembly(),
      'p/broken.dll': 'MZ',
    });
    const names = ['Direct', 'ByBase', 'Between', 'broken', 'Other', 'McpServer.Plugin.Abstractions'];
    expect(names.filter((name) => isDotnetPlugin(join(root, `p/${name}.dll`)))).toEqual(names.slice(0, 4));
  });
});

describe('an assembly that cannot be loaded', () => {
  it.each([
    ['is broken', 'Tool.dll', 'not a valid .NET assembly: the MZ signature is missing'],
    ['does not exist', 'Gone.dll', 'not a valid .NET assembly: it does not exist'],
    ['is a folder', 'folder', 'it is a folder'],
  ])('%s', (_, name, message) => {
    const root = makeTree({ 'Tool.dll': 'text', 'folder/file': '' });
    const file = join(root, name);
    expect(assemblyProblem(file)).toMatchObject({
      severity: 'error',
      code: 'PLUGIN_SYNTAX_ERROR',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('Build the plugin again'),
      location: { file },
    });
  });

  it('is none that is whole', () => {
    const root = makeTree({ 'Tool.dll': plugin() });
    expect(assemblyProblem(join(root, 'Tool.dll'))).toBeUndefined();
  });
});
