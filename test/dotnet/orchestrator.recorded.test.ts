import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { repair } from '../../examples/orchestrator/repair.mjs';
import { createClient, startHttp, stdioTransport, type TransportName } from '../support/clients.js';
import { describeRecorded, useRecordedDotnet } from '../support/recorded-dotnet/index.js';
import { CheckedHttpTransport, checkWire } from '../support/wire-check.js';
import { createWorkplace, type Workplace } from '../support/workplace.js';
import { projectXml, sdkEnvironment } from './sdk-server.js';

/** It names a framework that does not exist, was never restored, and is called by a name that no project has. */
const BROKEN = {
  'app/App.csproj': projectXml('', '', 'net99.0'),
  'app/Program.cs': 'class Program { static void Main() { } }',
};
const GOAL = { name: 'dotnet_project', arguments: { action: 'Build', project: 'app/Ap.csproj', noRestore: true } };

/** examples/orchestrator */
describeRecorded('the orchestrator', () => {
  it.each<TransportName>(['stdio', 'http'])(
    'repairs a broken project by codes and next actions, over %s',
    async (way) => {
      const workplace = createWorkplace(BROKEN, { Dotnet: { Enabled: true } });
      useRecordedDotnet(workplace);
      const client = await connect(way, { ...workplace, env: sdkEnvironment(workplace) });
      const steps: [action: unknown, outcome: string][] = [];
      const result = await repair(client, GOAL, (call, { ok, errors }) => {
        steps.push([call.arguments.action, ok ? 'ok' : errors[0].code]);
      });
      await client.close();
      expect(steps).toEqual([
        ['Build', 'MSB1009'],
        ['Build', 'NETSDK1045'],
        ['SetProperty', 'ok'],
        ['Build', 'NETSDK1004'],
        ['Restore', 'ok'],
        ['Build', 'ok'],
      ]);
      expect(result).toMatchObject({ ok: true, data: { success: true, errorCount: 0 } });
      const project = readFileSync(join(workplace.folder, 'app/App.csproj'), 'utf8');
      expect(project).toContain('<TargetFramework>net10.0</TargetFramework>');
    },
  );
});

async function connect(way: TransportName, workplace: Workplace): Promise<Client> {
  const client = createClient('2025-11-25');
  const transport =
    way === 'stdio'
      ? stdioTransport(workplace)
      : new CheckedHttpTransport(new URL((await startHttp(workplace)).url), checkWire());
  await client.connect(transport);
  return client;
}
