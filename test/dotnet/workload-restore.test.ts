import { expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, startSdkServer } from './sdk-server.js';

describeWithSdk('dotnet_workload Restore', () => {
  it('says that a project, also named by its folder, lacks no workload', async () => {
    const server = await startSdkServer({ 'app/app.csproj': projectXml() });
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
