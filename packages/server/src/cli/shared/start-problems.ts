import { createRedactor } from '@mortise/redact';
import { createAuditLog } from '../../access/audit/create-audit-log.js';
import type { Log } from '../../log/log.js';
import { dataRoot } from '../../settings/process-environment.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { SettingsError, type SettingsProblem } from '../../settings/settings-error.js';
import { type Issue, settingsIssue, settingsWarning } from './issue.js';

/**
 * Finds problems with the audit's file, the metrics' port and the store of shared state. They prevent the start even if
 * the settings are valid.
 */
export async function startProblems({ settings, secrets }: LoadedSettings, log: Log): Promise<Issue[]> {
  const redactor = createRedactor({ secrets });
  const audit = await problemsOf(() => createAuditLog(settings, { dataDir: dataRoot(), redactor, log })?.close());
  const { Metrics, MetricsPort } = settings.Telemetry;
  const metrics = Metrics ? await metricsProblems(MetricsPort) : [];
  const store = settings.State.Redis ? await storeProblems(settings) : [];
  return [...audit.map(settingsIssue), ...metrics, ...store];
}

async function storeProblems(settings: LoadedSettings['settings']): Promise<Issue[]> {
  const { openSharedState } = await import('../../state/shared-state.js');
  let reason: string | undefined;
  const problems = await problemsOf(async () => {
    const shared = await openSharedState(settings, NO_LOG);
    reason = shared.store.problem;
    await shared.close();
  });
  if (reason === undefined) return problems.map(settingsIssue);
  return [settingsWarning(`State.Redis: the store of shared state cannot be used now: ${reason}.`)];
}

const NO_LOG = { info() {}, warn() {}, error() {} };

async function metricsProblems(port: number): Promise<Issue[]> {
  const { serveMetrics } = await import('../../front/metrics/serve-metrics.js');
  const problems = await problemsOf(async () => (await serveMetrics(NO_METRICS, port)).close());
  if (problems.length === 0 || !(await isMortiseServer(port))) return problems.map(settingsIssue);
  return [
    settingsWarning(
      `Telemetry.MetricsPort is ${port}, where a running Mortise server serves its metrics: no second server can start with this port.`,
    ),
  ];
}

const NO_METRICS = { contentType: 'text/plain', text: async () => '' };

/** Returns true if a Mortise server uses the port. Probably it runs with the settings that are checked. */
async function isMortiseServer(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(1_000) });
    return /\nmortise_sessions[ {]/.test(await response.text());
  } catch {
    return false;
  }
}

async function problemsOf(step: () => void | Promise<void>): Promise<readonly SettingsProblem[]> {
  try {
    await step();
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems;
  }
}
