import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { responseProperties } from '../../src/msbuild/response-files.js';
import { folderWith } from './evaluations.js';
import { ENV, EXPECTED, FILES } from './response-file-cases.js';

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
