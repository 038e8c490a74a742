import type { PluginProblem } from '@mortise/plugin/runtime';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Pins, TrustedPlugins } from '../pins/pins.js';
import type { Catalog } from './catalog.js';
import type { ReloadReport } from './reload-report.js';

interface Operation {
  readonly event: 'reload' | 'trust';
  readonly outcome: string;
  readonly principal?: string;
  readonly target?: string;
  readonly details?: ReloadReport;
}

interface Parts {
  readonly catalog: Pick<Catalog, 'reload' | 'reviewAgain'>;
  readonly pins: Pick<Pins, 'trust'>;
  readonly audit: { record(operation: Operation): void } | undefined;
  /** Returns the problem if the settings could not be read again at the last reload. */
  settingsProblem(): PluginProblem | undefined;
  /** Called after a reload. */
  onReloaded(): void;
}

/**
 * Reloads and trusts plugins for the command line, clients and the page, with a line in the audit for each
 * (docs/spec/audit.md#audit).
 */
export class PluginOperations {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param name a plugin to load even if its files are unchanged */
  async reload(name?: string): Promise<ReloadReport> {
    const { catalog, audit, settingsProblem, onReloaded } = this.#parts;
    const report = await catalog.reload([], name);
    onReloaded();
    const outcome = settingsProblem()?.code ?? (report.failed.length === 0 ? 'ok' : 'PLUGIN_LOAD_FAILED');
    audit?.record({ event: 'reload', outcome, details: report });
    return report;
  }

  /**
   * Trusts the current definitions of the plugins with this name.
   * @param sha256 if given, only a definition with this hash is trusted
   * @param principal the identity for the audit
   */
  async accept(name: string, sha256?: string, principal: Principal = LOCAL): Promise<TrustedPlugins> {
    const { catalog, pins, audit } = this.#parts;
    const trusted = await pins.trust(name, sha256);
    const isTrusted = trusted.plugins.length > 0 && trusted.problem === undefined;
    const outcome = isTrusted ? 'ok' : (trusted.problem?.code ?? 'INVALID_PARAMS');
    audit?.record({ event: 'trust', principal: principal.name, target: name, outcome });
    catalog.reviewAgain();
    return trusted;
  }
}
