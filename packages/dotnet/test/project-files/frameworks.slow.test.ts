import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RID_PLATFORMS, runtimeProblem } from '../../src/project-files/frameworks.js';
import { describeWithSdk } from '../sdk.js';

describeWithSdk('the RID graph of the SDK', () => {
  it('has the platforms that are known here', async () => {
    const info = spawnSync('dotnet', ['--list-sdks'], { encoding: 'utf8' }).stdout.trim().split('\n').at(-1)!;
    const [, version, folder] = /^(\S+) \[(.*)\]/.exec(info)!;
    const graph = JSON.parse(await readFile(join(folder!, version!, 'RuntimeIdentifierGraph.json'), 'utf8'));
    const rids = Object.keys(graph.runtimes);
    expect(new Set(rids.map((rid) => /^[a-z]+/.exec(rid)![0]))).toEqual(RID_PLATFORMS);
    expect(rids.filter((rid) => runtimeProblem(rid) !== undefined)).toEqual([]);
  });
});
