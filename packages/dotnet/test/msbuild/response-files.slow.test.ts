import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evaluateProject } from '../../src/msbuild/evaluate.js';
import { describeWithSdk } from '../sdk.js';
import { evaluationHost, folderWith } from './evaluations.js';
import { ENV, EXPECTED, FILES } from './response-file-cases.js';

describeWithSdk('an evaluation', () => {
  it('has the same properties as MSBuild with its response files', async () => {
    const folder = await folderWith({
      ...FILES,
      'Directory.Build.rsp': FILES['Directory.Build.rsp'].replace(/^\/t.*$/m, '@more.rsp'),
    });
    const project = join(folder, 'src/App/App.proj');
    const names = Object.keys(EXPECTED);
    process.env.MORTISE_RSP = ENV.MORTISE_RSP;
    const { outer } = await evaluateProject(evaluationHost, project, { properties: names, itemTypes: [] });
    const args = ['msbuild', project, `-getProperty:${names.join(',')}`];
    const raw = execFileSync('dotnet', args, { cwd: join(folder, 'src/App'), encoding: 'utf8' });
    expect(outer.properties).toMatchObject((JSON.parse(raw) as { Properties: object }).Properties);
    expect(outer.properties).toMatchObject({ A: 'again', C: '3', D: 'x;y', G: ';' });
  }, 60_000);
});
