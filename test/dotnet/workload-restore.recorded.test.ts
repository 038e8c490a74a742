import { expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { DEAD_SOURCE, source } from './local-feed.js';
import { projectXml, startSdkServer, WITH_WORKLOADS } from './sdk-server.js';

describeRecorded('dotnet_workload Restore', () => {
  it('says that a project, also named by its folder, lacks no workload', async () => {
    const server = await startSdkServer({ 'app/app.csproj': projectXml() }, {}, WITH_WORKLOADS);
    try {
      const args = { action: 'Restore', project: 'app', skipManifestUpdate: true };
      const { text, data } = await server.call('dotnet_workload', args);
      expect(data, text).toMatchObject({ success: true, changed: false, workloadIds: [] });
      expect(text).toContain('No workload is missing');
    } finally {
      await server.close();
    }
  });
});

describeRecorded('dotnet_workload Update', () => {
  it('fails where no source answers, which the CLI ends with 0', async () => {
    const server = await startSdkServer(
      { 'nuget.config': source(DEAD_SOURCE) },
      {},
      { NUGET_ENHANCED_MAX_NETWORK_TRY_COUNT: '1' },
    );
    try {
      const { isError, data, text } = await server.call('dotnet_workload', { action: 'Update' });
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('No workload was updated'),
      });
      expect(data).toMatchObject({ success: false, exitCode: -1, errors: [{ code: 'NU1301' }] });
    } finally {
      await server.close();
    }
  });
});
