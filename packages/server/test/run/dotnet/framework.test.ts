import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needsAspNetCore } from '../../../src/run/dotnet/framework.js';
import { makeTree } from '../../make-tree.js';
import { makeAssembly } from '../../plugins/find/make-assembly.js';

const plain = makeAssembly({ references: ['System.Runtime', 'A'] });
const web = makeAssembly({ references: ['Microsoft.AspNetCore.Http.Abstractions'] });
const config = (...names: string[]) =>
  JSON.stringify({ runtimeOptions: { frameworks: names.map((name) => ({ name, version: '8.0.0' })) } });
const single = JSON.stringify({ runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version: '8.0.0' } } });

describe('a C# plugin', () => {
  it.each([
    ['its configuration names it', { 'p.dll': plain, 'p.runtimeconfig.json': config('a', 'Microsoft.AspNetCore.App') }],
    ['it refers to it', { 'p.dll': web }],
    ['what it refers to beside it does', { 'p.dll': plain, 'A.dll': web }],
    ['it refers to it, and its configuration cannot be read', { 'p.dll': web, 'p.runtimeconfig.json': '{' }],
    ['it refers to it, and its configuration names nothing', { 'p.dll': web, 'p.runtimeconfig.json': '{}' }],
  ])('needs ASP.NET Core where %s', (_, files: Record<string, string | Buffer>) => {
    expect(needsAspNetCore(join(makeTree(files), 'p.dll'))).toBe(true);
  });

  it.each([
    ['it does not refer to it', { 'p.dll': plain }],
    ['its configuration names .NET alone', { 'p.dll': web, 'p.runtimeconfig.json': single }],
    ['it brings the assembly along', { 'p.dll': web, 'Microsoft.AspNetCore.Http.Abstractions.dll': makeAssembly() }],
    ['it is not there', {}],
  ])('does not where %s', (_, files: Record<string, string | Buffer>) => {
    expect(needsAspNetCore(join(makeTree({ '.keep': '', ...files }), 'p.dll'))).toBe(false);
  });
});
