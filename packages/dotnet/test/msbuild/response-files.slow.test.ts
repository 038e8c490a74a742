import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evaluateProject } from '../../src/msbuild/evaluate.js';
import { describeWithSdk } from '../sdk.js';
import { dotnetCall, folderWith } from './dotnet-call.js';

const FILES = {
  'Directory.Build.rsp': [
    '# a comment -p:Comment=1',
    '-p:A=1;B=2 /p:C=3 --property:D="x;y" -nologo',
    '/t:Other -logger:Evil.dll @more.rsp @more.rsp',
    '-p:"E=a b" -p:F=%MORTISE_RSP% -p:G=%3B -p:H=',
  ].join('\r\n'),
  'src/App/more.rsp': '-p:A=again;I=9',
  'src/App/MSBuild.rsp': '-PROPERTY:b=last',
  'src/App/App.proj': '<Project><PropertyGroup><Own>1</Own></PropertyGroup></Project>',
};
const ENV = { MORTISE_RSP: 'from-the-environment' };
const EXPECTED = { A: 'again', b: 'last', C: '3', D: 'x;y', E: 'a b', F: ENV.MORTISE_RSP, G: '%3B', H: '', I: '9' };

describeWithSdk('an evaluation', () => {
  it('has the same properties as MSBuild with its response files', async () => {
    const folder = await folderWith({
      ...FILES,
      'Directory.Build.rsp': FILES['Directory.Build.rsp'].replace(/^\/t.*$/m, '@more.rsp'),
    });
    const project = join(folder, 'src/App/App.proj');
    const names = Object.keys(EXPECTED);
    process.env.MORTISE_RSP = ENV.MORTISE_RSP;
    const { outer } = await evaluateProject(dotnetCall, project, { properties: names, itemTypes: [] });
    const args = ['msbuild', project, `-getProperty:${names.join(',')}`];
    const raw = execFileSync('dotnet', args, { cwd: join(folder, 'src/App'), encoding: 'utf8' });
    expect(outer.properties).toMatchObject((JSON.parse(raw) as { Properties: object }).Properties);
    expect(outer.properties).toMatchObject({ A: 'again', C: '3', D: 'x;y', G: ';' });
  }, 60_000);
});
