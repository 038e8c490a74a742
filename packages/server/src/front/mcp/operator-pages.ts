import type { McpServer } from '@mortise/mcp';
import type { ServerApi } from '../../core/server-api.js';
import { type ServerStatus, STATUS_PATH } from '../../core/server-status.js';
import { replicaName } from '../../settings/replica-name.js';
import type { OperatorPage } from './operator-route.js';

type McpCounts = Pick<McpServer, 'sessionCount' | 'taskCount'>;

/** Creates the pages for operators. @param state returns the word with which `/readyz` answers */
export function operatorPages(server: ServerApi, mcp: McpCounts, state: () => string): OperatorPage[] {
  const status: OperatorPage = {
    path: STATUS_PATH,
    contentType: 'application/json',
    needs: 'The status needs',
    alternative: '/readyz needs none.',
    text: () => `${JSON.stringify(server.redact(statusOf(server, mcp, state())))}\n`,
  };
  const { metrics } = server;
  return [status, ...(metrics ? [metricsPage(metrics)] : [])];
}

const metricsPage = (metrics: NonNullable<ServerApi['metrics']>): OperatorPage => ({
  path: '/metrics',
  contentType: metrics.contentType,
  needs: 'The metrics need',
  alternative: 'Telemetry.MetricsPort needs none.',
  text: () => metrics.text(),
});

function statusOf({ settings, version, shared, counts }: ServerApi, mcp: McpCounts, state: string): ServerStatus {
  const { running, waiting } = counts();
  const hosts = settings.State.Redis?.Urls.map((url) => new URL(url).host) ?? [];
  return {
    server: 'mortise',
    version,
    state,
    replica: replicaName(settings.State),
    store: shared ? { hosts, problem: shared.store.problem ?? null, replicas: shared.rates.replicas } : null,
    tasks: mcp.taskCount,
    sessions: mcp.sessionCount,
    calls: { running, waiting },
  };
}
