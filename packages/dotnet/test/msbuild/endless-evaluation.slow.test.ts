import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evaluateProject } from '../../src/msbuild/evaluate.js';
import { createEvaluationHost } from '../../src/msbuild/evaluation-host.js';
import { describeWithSdk } from '../sdk.js';
import { evaluationHostOf, folderWith, openDotnet } from './evaluations.js';

describeWithSdk('an evaluation that does not end', () => {
  it('ends with the time of its call, and other projects are evaluated afterwards', async () => {
    const value = "$([System.IO.File]::ReadAllText('$(MSBuildThisFileDirectory)pipe'))";
    const folder = await folderWith({
      'Endless.proj': `<Project><PropertyGroup><A>${value}</A></PropertyGroup></Project>`,
      'Good.proj': '<Project><PropertyGroup><A>good</A></PropertyGroup></Project>',
    });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { hosts } = openDotnet();
    const query = { properties: ['A'], itemTypes: [] };
    const context = { signal: new AbortController().signal };
    const readsGood = async () => {
      const { outer } = await evaluateProject(evaluationHostOf(hosts), join(folder, 'Good.proj'), query);
      expect(outer.properties.A).toBe('good');
    };
    // The process runs already, so that the evaluation begins in time.
    await readsGood();
    const short = createEvaluationHost(hosts, { isReadOnly: true, context, limitMs: 1000, timeLeftMs: 1000 });
    await expect(evaluateProject(short, join(folder, 'Endless.proj'), query)).rejects.toMatchObject({
      name: 'EvaluationError',
      run: { terminatedBy: 'timed out', limitMs: 1000 },
    });
    await readsGood();
  });
});
