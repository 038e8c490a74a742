import { expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, startSdkServer } from './sdk-server.js';

const COUNT = 8;
const names = Array.from({ length: COUNT }, (_, index) => `P${index}`);

/** Projects that share a file whose evaluation is refused, each in its own workspace. */
const IMPORTS = '<Import Project="../shared.props" />';
const REFUSED = "$([System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)made/x').Create())";
const FILES = {
  'shared.props': `<Project><PropertyGroup><A>${REFUSED}</A></PropertyGroup></Project>`,
  ...Object.fromEntries(names.map((name) => [`${name}/${name}.csproj`, projectXml('', IMPORTS)])),
  ...Object.fromEntries(names.map((name) => [`${name}/${name}.cs`, `class ${name};`])),
};

describeWithSdk('calls of dotnet_code at the same time', () => {
  it('each refuse a file that their projects share', async () => {
    const server = await startSdkServer(FILES);
    try {
      const symbols = (name: string) =>
        server.call('dotnet_code', { action: 'Symbols', symbol: name, project: `${name}/${name}.csproj` });
      const answers = await Promise.all(names.map(symbols));
      for (const { isError, text } of answers) {
        expect(isError).toBe(true);
        expect(text).toContain('shared.props');
      }
    } finally {
      await server.close();
    }
  });
});
