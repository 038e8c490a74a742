import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { responseProperties } from '../../src/msbuild/response-files.js';
import { folderWith } from './dotnet-call.js';
<<<<<<< HEAD
import { ENV, EXPECTED, FILES } from './response-file-cases.js';
=======

const FILES = {
  'Directory.Build.rsp': [
    '# a comment -p:Comment=1',
    '-p:A=1;B=2 /p:C=3 --property:D="x;y" -nologo',
    '/t:Other -logger:Evil.dll @more.rsp @more.rsp',
    '-p:"E=a b" -p:F=%MORTISE_RSP% -p:G=%3B -p:H= -p:J=%constructor%',
  ].join('\r\n'),
  'src/App/more.rsp': '-p:A=again;I=9',
  'src/App/MSBuild.rsp': '-PROPERTY:b=last',
  'src/App/App.proj': '<Project><PropertyGroup><Own>1</Own></PropertyGroup></Project>',
};
const ENV = { MORTISE_RSP: 'from-the-environment' };
const EXPECTED = {
  A: 'again',
  b: 'last',
  C: '3',
  D: 'x;y',
  E: 'a b',
  F: ENV.MORTISE_RSP,
  G: '%3B',
  H: '',
  I: '9',
  J: '%constructor%',
};
>>>>>>> i46-rest2

describe('the properties of response files', () => {
  it('are those of Directory.Build.rsp, of the files that it names, and of MSBuild.rsp; the last one counts', async () => {
    const folder = await folderWith(FILES);
    expect(responseProperties(join(folder, 'src/App/App.proj'), ENV)).toEqual(EXPECTED);
  });

  it('are none without such files', async () => {
    const folder = await folderWith({ 'App.proj': '<Project />' });
    expect(responseProperties(join(folder, 'App.proj'))).toEqual({});
  });
});
