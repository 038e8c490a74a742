import type { Scope } from '../core/principal.js';
import type { Tool } from '../core/snapshot.js';

/** What calling a tool does, as far as access is concerned. */
export interface Operation {
  readonly scope: Scope;
  /** It changes nothing: part of the profile `readOnly`. */
  readonly isReadOnly: boolean;
}

const READ: Operation = { scope: 'mortise:read', isReadOnly: true };
const WRITE: Operation = { scope: 'mortise:write', isReadOnly: false };
const INSPECT: Operation = { scope: 'mortise:operate', isReadOnly: true };
const OPERATE: Operation = { scope: 'mortise:operate', isReadOnly: false };

/** The action of a tool that has no parameter `action`. */
const NO_ACTION = '';

const actions = (operation: Operation, names: string): [string, Operation][] =>
  names.split(' ').map((name) => [name, operation]);

/**
 * The operations of the first-party tools, by the author's name and the action; what is not in the table writes
 * (docs/spec/access.md#scopes). The actions of `dotnet_ef` build and run the project.
 */
const FIRST_PARTY: Readonly<Record<string, ReadonlyMap<string, Operation>>> = {
  'builtin.plugins': new Map([...actions(READ, 'List'), ...actions(INSPECT, 'Status'), ...actions(OPERATE, 'Reload')]),
  'builtin.operate': new Map(actions(OPERATE, 'Accept Reload')),
  dotnet_project: new Map(
    actions(READ, 'Analyze Dependencies Validate Logs ListSessions ListTemplateOptions GetProperty ListItems'),
  ),
  dotnet_package: new Map(actions(READ, 'Search List ListReferences Why Audit ListSources')),
  dotnet_solution: new Map(actions(READ, 'List Analyze Dependencies Validate')),
  dotnet_workload: new Map(actions(READ, 'List Info Search')),
  dotnet_tool: new Map(actions(READ, 'List Search')),
  dotnet_sdk: new Map(
    actions(
      READ,
      'Version Info ListSdks ListRuntimes ListTemplates SearchTemplates TemplateInfo ListTemplatePacks FrameworkInfo CacheMetrics',
    ),
  ),
  dotnet_dev_certs: new Map(actions(READ, 'CertificateCheck SecretsList')),
  dotnet_help: new Map([[NO_ACTION, READ]]),
  dotnet_server_capabilities: new Map([[NO_ACTION, READ]]),
  dotnet_server_info: new Map([[NO_ACTION, READ]]),
  dotnet_server_metrics: new Map(actions(READ, 'Get')),
};

/** Whether the table above applies, and the texts are ours: no plugin can take these names. */
export const isFirstParty = ({ isFirstParty: isBundled, name }: Tool) =>
  isBundled === true || name.startsWith('builtin.');

/** Says which operation a call is. */
export class Operations {
  readonly #trusted: ReadonlySet<string>;

  /** @param trustAnnotations names of the plugins and mounted servers whose annotations are facts */
  constructor(trustAnnotations: readonly string[]) {
    this.#trusted = new Set(trustAnnotations.map((name) => name.toLowerCase()));
  }

  /** @param action the argument `action`, where the tool has one */
  of(tool: Tool, action: unknown): Operation {
    if (isFirstParty(tool)) {
      const known = FIRST_PARTY[tool.name];
      return known?.get(NO_ACTION) ?? (typeof action === 'string' ? known?.get(action) : undefined) ?? WRITE;
    }
    return this.isTrusted(tool.plugin) && tool.definition.annotations?.readOnlyHint === true ? READ : WRITE;
  }

  /** Whether the operator believes the annotations of the plugin or mounted server. */
  isTrusted(plugin: string): boolean {
    return ownNames(plugin).some((name) => this.#trusted.has(name));
  }
}

/** The names of a plugin in settings, in lower case: a mounted server has that of its entry too. */
export function ownNames(plugin: string): string[] {
  const name = plugin.toLowerCase();
  return name.startsWith('mcp.') ? [name, name.slice('mcp.'.length)] : [name];
}
