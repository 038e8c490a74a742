import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditServer, startAuditServer } from '../../packages/dotnet/test/diagnostics/provoked/audit-server.js';
import { RESTORES } from '../../packages/dotnet/test/diagnostics/provoked/nuget.js';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { type Called, type SdkServer, startSdkServer } from './sdk-server.js';

/** Codes of the feed that a call of `dotnet_project` alone does not print as an error, and why. */
const NOT_AN_ERROR: Readonly<Record<string, string>> = {
  NETSDK1064: 'the package is removed between two steps of one build',
  NU1507: 'a warning that no property makes an error of a single project here',
};

const { codes } = RESTORES;
/** Packages that are vulnerable have a version that is not. */
const REPAIRED = Object.fromEntries(
  ['Low', 'Moderate', 'High', 'Critical'].map((id) => [`feed/${id}.2.0.0.nupkg`, nupkg({ id, version: '2.0.0' })]),
);
const files = { ...RESTORES.files, ...REPAIRED };

describeWithSdk('each next action of an error of NuGet, called as it is printed', () => {
  let server: SdkServer;
  let audit: AuditServer;

  beforeAll(async () => {
    audit = await startAuditServer();
    server = await startSdkServer({}, {}, ({ folder }) => ({
      NUGET_PACKAGES: join(folder, 'packages'),
      NUGET_ENHANCED_NETWORK_RETRY_DELAY_MILLISECONDS: '1',
      NuGetAudit: undefined,
    }));
    for (const [path, content] of Object.entries(files)) {
      const file = join(server.workplace.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content.replaceAll('{audit}', audit.url) : content);
    }
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    audit?.close();
  });

  /** Warnings of the code are errors in the call, so that each code is one that fails. */
  const provoke = (code: string) =>
    server.project('Restore', {
      project: `${code}/p.csproj`,
      properties: { MSBuildTreatWarningsAsErrors: 'false', WarningsAsErrors: code },
    });
  const shown = ({ data }: Called) =>
    data.errors.map(({ code, message }: { code: string; message: string }) => ({ code, message }));

  describe.each(codes.filter((code) => NOT_AN_ERROR[code] === undefined))('%s', (code) => {
    it('leads to a success or to another error', async () => {
      const failed = await provoke(code);
      const error = failed.data.errors?.find((one: { code: string }) => one.code === code);
      if (error === undefined) {
        // Some warnings cannot be made errors of a restore; they have no next action.
        expect(failed.isError === false || failed.data.errors[0].code !== code).toBe(true);
        return;
      }
      const action = error.recommendedAction ?? failed.data.codes?.[code]?.recommendedAction;
      expect(action.description).toMatch(/^\S.+\.$/s);
      if (action.actionKind !== 'CallTool') return;
      expect(JSON.stringify(action.arguments)).not.toMatch(/<\w+>/);
      const next = await server.call(action.toolName, action.arguments);
      if (next.isError) expect(shown(next)).not.toEqual(shown(failed));
      else if (/^(?:Add|Update|SetProperty)$/.test(action.arguments.action)) {
        const again = await provoke(code);
        expect(again.isError ? shown(again) : []).not.toEqual(shown(failed));
      }
    }, 120_000);
  });
});
